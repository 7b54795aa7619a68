import {
  addEndpointCase,
  addMethodCase,
  refusedAs,
  transportOf,
  type StandardCases,
} from "./standard-cases.ts";

const withoutId = [{ op: "omit", at: "/id" }] as const;

/** Notifications are never answered, errors included (section 4.1). */
export function notificationCases(cases: StandardCases): void {
  addEndpointCase(cases, {
    group: "notification",
    name: "unknown-method",
    title: "a notification of a method that there is not",
    section: "4.1",
    request: { envelope: [{ op: "set", at: "/method", value: "NoService.NoOperation" }, ...withoutId] },
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
        request: { envelope: [{ op: "set", at: "/id", value: 1 }] },
        expect: refusedAs(cases, "invalidRequest"),
        level: "decisions",
      });
  }
}
