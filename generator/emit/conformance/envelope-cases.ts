import type { Edit, Expectation, RequestPlan } from "../../../conformance/suite/case.ts";
import type { Level } from "../../../conformance/suite/suite.ts";
import { endpoint, minimalBase, type CaseList } from "./case-list.ts";

/** The envelope: its members, their types, the id and what surrounds it. */
// oxlint-disable-next-line max-lines-per-function -- a list of cases, in the order that the suite has
export function envelopeCases(list: CaseList): void {
  const { probe } = list;
  if (probe === undefined) return;
  const base = minimalBase(list.entryOf(probe));
  const badInput = list.fault("badInput");
  const add = (
    rule: string,
    name: string,
    title: string,
    request: RequestPlan,
    expect: Expectation,
    level: Level = "decisions",
  ): void => {
    if (!list.has(rule)) return;
    list.add({
      method: endpoint,
      name: ["envelope", name],
      title,
      level,
      rule,
      stated: [],
      request: request.raw === undefined ? { base, ...request } : request,
      expect,
    });
  };
  const refused: Expectation = { kind: "error", codes: [badInput] };
  const withoutId: Expectation = { ...refused, id: null };
  const result: Expectation = { kind: "result" };

  for (const member of ["method", "params"] as const) {
    add(
      "request-envelope",
      `${member}/missing`,
      `no ${member}`,
      edit({ op: "omit", at: `/${member}` }),
      refused,
      "document",
    );
    for (const [name, value] of wrongTypes(member === "method" ? "string" : "object")) {
      add("request-envelope", `${member}/${name}`, `${member} ${name}`, set(`/${member}`, value), refused);
    }
  }
  for (const member of ["api", "payload"] as const) {
    const at = `/params/${member}`;
    add(
      "request-envelope",
      `${member}/missing`,
      `no params.${member}`,
      edit({ op: "omit", at }),
      refused,
      "document",
    );
    for (const [name, value] of wrongTypes("object")) {
      add("request-envelope", `${member}/${name}`, `params.${member} ${name}`, set(at, value), refused);
    }
  }
  for (const [name, value] of [
    ["number", 2],
    ["other", "1.0"],
    ["null", null],
    ["empty", ""],
    ["long", "2.00"],
  ] as const) {
    add(
      "request-envelope",
      `jsonrpc/${name}`,
      `jsonrpc ${JSON.stringify(value)}`,
      set("/jsonrpc", value),
      refused,
    );
  }
  add("request-envelope", "jsonrpc/present", 'jsonrpc "2.0"', set("/jsonrpc", "2.0"), result);

  add("request-id", "id/missing", "no id", edit({ op: "omit", at: "/id" }), withoutId, "document");
  for (const [name, value] of [...wrongTypes("string"), ["too-long", { $repeat: ["i", 129] }] as const]) {
    add("request-id", `id/${name}`, `id ${name}`, set("/id", value), withoutId);
  }
  for (const [name, value] of [
    ["one-character", "1"],
    ["longest", { $repeat: ["i", 128] }],
    ["longest-astral", { $repeat: ["😀", 128] }],
    ["special", 'a "quoted" \\ id / with {braces}, blanks and \u2028'],
    ["looks-like-a-number", "007"],
    ["looks-like-null", "null"],
    ["unicode", "Zażółć-東京-🏦"],
    ["blank", " "],
  ] as const) {
    add(
      "request-id",
      `id/${name}`,
      `id ${name}: echoed as it is`,
      set("/id", value),
      result,
      name === "one-character" ? "document" : "decisions",
    );
  }
  add(
    "request-id",
    "id/echoed-in-error",
    "the id is echoed in an error too",
    {
      ...set("/id", "Echo me, 東京"),
      api: [{ op: "omit", at: "/credential" }],
    },
    { kind: "error", codes: [list.missing("credential") ?? badInput] },
  );

  for (const [name, raw] of [
    ["batch", "[]"],
    ["batch-of-one", '[{"method":"x","id":"1","params":{"api":{},"payload":{}}}]'],
    ["null", "null"],
    ["number", "1"],
    ["string", '"method"'],
    ["true", "true"],
  ] as const) {
    add("request-id", `body/${name}`, `a body that is ${name}`, { raw }, withoutId);
  }
  add(
    "request-spellings",
    "member-in-capitals",
    "METHOD and PARAMS in capitals",
    edit({ op: "rename", at: "/method", to: "METHOD" }, { op: "rename", at: "/params", to: "PARAMS" }),
    result,
    "strict",
  );
  add(
    "request-spellings",
    "two-methods",
    "method and Method at once",
    set("/Method", "x"),
    refused,
    "strict",
  );
  add(
    "unknown-fields",
    "unknown-member",
    "a member that nobody knows",
    set("/x-unknown", { a: [1] }),
    result,
  );
  add(
    "unknown-fields",
    "unknown-api-member",
    "a member of params.api that nobody knows",
    { api: [{ op: "set", at: "/x-unknown", value: 1 }] },
    result,
  );
  add(
    "unknown-fields",
    "unknown-params-member",
    "a member of params that nobody knows",
    set("/params/x-unknown", "x"),
    result,
  );
}

function set(at: string, value: unknown): RequestPlan {
  return edit({ op: "set", at, value });
}

function edit(...envelope: readonly Edit[]): RequestPlan {
  return { envelope };
}

function wrongTypes(right: "string" | "object"): readonly (readonly [string, unknown])[] {
  const all = [
    ["null", null],
    ["number", 1],
    ["true", true],
    ["array", ["x"]],
    ["object", {}],
    ["string", "x"],
    ["empty", ""],
  ] as const;
  return all.filter(([name]) => name !== right);
}
