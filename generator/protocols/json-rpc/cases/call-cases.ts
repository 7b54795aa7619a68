import {
  addEndpointCase,
  addMethodCase,
  omitting,
  refusedAs,
  setting,
  transportOf,
  type StandardCases,
} from "./standard-cases.ts";

/** Notifications are never answered, errors included (section 4.1). */
export function notificationCases(cases: StandardCases): void {
  const { frame } = cases;
  const withoutId = omitting(frame.id);
  addEndpointCase(cases, {
    group: "notification",
    name: "unknown-method",
    title: "a notification of a method that there is not",
    section: "4.1",
    request: { envelope: [...setting(frame.method, "NoService.NoOperation"), ...withoutId] },
    expect: { kind: "silent" },
  });
  for (const method of cases.list.suite.methods) {
    const notify = transportOf(method)?.notify;
    // A notification has no answer that says whether it took effect: it is only sent where it may be.
    if (notify !== "never" || method.effect !== "create")
      addMethodCase(cases, method, {
        group: "notification",
        name: "right",
        title: "a call without an id is not answered",
        section: "4.1",
        request: { envelope: withoutId },
        expect: { kind: "silent" },
      });
    addMethodCase(cases, method, {
      group: "notification",
      name: "wrong-params",
      title: "a call without an id and with wrong parameters is not answered",
      section: "4.1",
      request: { payload: { "x-unknown": true }, envelope: withoutId },
      expect: { kind: "silent" },
    });
    if (notify === "only")
      addMethodCase(cases, method, {
        group: "notification",
        name: "with-id",
        title: "a call with an id, where only notifications are taken",
        section: "4.1",
        request: { envelope: setting(frame.id, 1) },
        expect: refusedAs(cases, "invalidRequest"),
        level: "decisions",
      });
  }
}

const marker = 987_654_321;

/** Ids of every type come back as they were (sections 4 and 5). */
export function idCases(cases: StandardCases): void {
  const { frame, probed } = cases;
  const add = (
    name: string,
    title: string,
    id: unknown,
    level: "document" | "decisions" = "document",
  ): void =>
    addEndpointCase(cases, {
      group: "id",
      name,
      title,
      section: "4",
      request: { envelope: setting(frame.id, id) },
      expect: probed,
      level,
    });
  add("string", "an id that is a string", "a-1");
  add("empty-string", "an id that is the empty string", "");
  add("digits", "an id of digits stays a string", "7");
  add("unicode", "an id beyond ASCII", "\u00E9\u4E2D\u{1F600}");
  add("quotes", "an id with quotes, backslashes and a line feed", '"\\\n');
  add("long", "an id of 1,000 characters", { $repeat: ["i", 1000] }, "decisions");
  add("number", "an id that is a number stays a number", 7);
  add("zero", "zero is an id", 0);
  add("negative", "a negative id", -1);
  add("fraction", "an id with a fraction, which callers should not send", 1.5, "decisions");
  add("null", "null is an id, and the call is answered", null);
  if (probed.kind !== "result") return;
  for (const [name, text] of [
    ["beyond-2-53", "12345678901234567890"],
    ["exponent", "1e2"],
    ["decimal-zero", "1.0"],
  ] as const)
    addEndpointCase(cases, {
      group: "id",
      name,
      title: `the id ${text}, byte for byte`,
      section: "5",
      request: {
        envelope: setting(frame.id, marker),
        body: [[String(marker), text]],
      },
      expect: { ...probed, idText: text },
      level: "decisions",
    });
}
