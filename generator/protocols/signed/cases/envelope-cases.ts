import type { Edit, Expectation, RequestPlan } from "../../../../conformance/suite/case.ts";
import type { Level } from "../../../../conformance/suite/level.ts";
import { exampleId, requestIdOf } from "../../../model/index.ts";
import type { RequestIdModel } from "../../../model/service-model.ts";
import { endpoint, minimalBase, type CaseList } from "../../../targets/conformance/case-list.ts";

type AddEnvelope = (
  rule: string,
  name: string,
  title: string,
  request: RequestPlan,
  expect: Expectation,
  level?: Level,
) => void;

const result: Expectation = { kind: "result" };

/** The envelope: its members, their types, the id and what surrounds it. */
export function envelopeCases(list: CaseList): void {
  const { probe } = list;
  if (probe === undefined) return;
  const base = minimalBase(list.entryOf(probe));
  const add: AddEnvelope = (rule, name, title, request, expect, level = "decisions") => {
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
  const refused: Expectation = { kind: "error", codes: [list.fault("badInput")] };
  const withoutId: Expectation = { ...refused, id: null };
  memberCases(add, refused);
  versionCases(add, refused);
  idCases(add, withoutId, list);
  ownIdCases(list, withoutId);
  otherBodies(add, withoutId);
  spellingCases(add, refused);
  unknownMembers(add);
}

function memberCases(add: AddEnvelope, refused: Expectation): void {
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
}

function versionCases(add: AddEnvelope, refused: Expectation): void {
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
}

function idCases(add: AddEnvelope, withoutId: Expectation, list: CaseList): void {
  add("request-id", "id/missing", "no id", edit({ op: "omit", at: "/id" }), withoutId, "document");
  for (const [name, value] of [...wrongTypes("string"), ["too-long", { $repeat: ["i", 129] }] as const]) {
    add("request-id", `id/${name}`, `id ${name}`, set("/id", value), withoutId);
  }
  const rule = requestIdOf(list.model, list.probe);
  for (const [name, value] of otherIds(rule))
    add("request-id", `id/${name}`, `id ${name}`, set("/id", value), withoutId);
  for (const [name, value] of soundIds(rule)) {
    add(
      "request-id",
      `id/${name}`,
      `id ${name}: echoed as it is`,
      set("/id", value),
      // Which ids a service takes was decided; that it echoes those that it takes, the document says.
      name === "one-character" ? result : { kind: "result", takenFrom: "decisions" },
      "document",
    );
  }
  add(
    "request-id",
    "id/echoed-in-error",
    "the id is echoed in an error too",
    {
      ...set("/id", exampleId(list.model, "Echo me, 東京", list.probe)),
      api: [{ op: "omit", at: "/credential" }],
    },
    { kind: "error", codes: [list.missing("credential") ?? list.fault("badInput")] },
  );
}

function otherBodies(add: AddEnvelope, withoutId: Expectation): void {
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
}

function spellingCases(add: AddEnvelope, refused: Expectation): void {
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
}

function unknownMembers(add: AddEnvelope): void {
  add("unknown-fields", "unknown-member", "an unknown member", set("/x-unknown", { a: [1] }), result);
  add(
    "unknown-fields",
    "unknown-api-member",
    "an unknown member of params.api",
    { api: [{ op: "set", at: "/x-unknown", value: 1 }] },
    result,
  );
  add(
    "unknown-fields",
    "unknown-params-member",
    "an unknown member of params",
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

/** Ids that are echoed as they are. */
function soundIds(rule: RequestIdModel | undefined): readonly (readonly [name: string, value: unknown])[] {
  if (rule === undefined)
    return [
      ["one-character", "1"],
      ["longest", { $repeat: ["i", 128] }],
      ["longest-astral", { $repeat: ["😀", 128] }],
      ["special", 'a "quoted" \\ id / with {braces}, blanks and \u2028'],
      ["looks-like-a-number", "007"],
      ["looks-like-null", "null"],
      ["unicode", "Zażółć-東京-🏦"],
      ["blank", " "],
    ];
  const ends = (["least", "most"] as const).flatMap((end) =>
    (["first", "last"] as const).map((place) => {
      const text = rule.parts.map(({ characters, [end]: times }) =>
        (characters.at(place === "first" ? 0 : -1) ?? "").repeat(times),
      );
      return [`${end === "least" ? "shortest" : "longest"}-${place}`, text.join("")] as const;
    }),
  );
  return ends.filter(([, text], at) => text !== "" && ends.findIndex(([, other]) => other === text) === at);
}

/** Ids of 1 to 128 characters that do not fit a pattern. */
function otherIds(rule: RequestIdModel | undefined): readonly (readonly [name: string, value: string])[] {
  if (rule === undefined) return [];
  const pattern = new RegExp(rule.pattern, "u");
  const longest = rule.parts.map(({ characters, most }) =>
    (characters[1] ?? characters).slice(0, 1).repeat(most),
  );
  const id = longest.join("");
  const shortest = rule.parts.map(({ characters, least }) => characters.slice(0, 1).repeat(least)).join("");
  const tried = [
    ["one-character-more", `${id}${id.at(-1) ?? ""}`],
    ["one-character-less", shortest.slice(0, -1)],
    ["blank-before", ` ${id}`],
    ["letter-after", `${id}é`],
    ["uuid", "0193d5c8-6f1e-7c4b-9a2d-3e5f60718293"],
  ] as const;
  return tried.filter(([, text]) => text !== "" && text.length <= 128 && !pattern.test(text));
}

/** The operations whose ids have a rule of their own: others are refused. */
function ownIdCases(list: CaseList, refused: Expectation): void {
  for (const method of list.model.methods) {
    if (method.transport.kind !== "enveloped" || method.transport.requestId === undefined) continue;
    if (method === list.probe || !list.has("request-id")) continue;
    const base = minimalBase(list.entryOf(method));
    for (const [name, value] of otherIds(method.transport.requestId))
      list.add({
        method: method.name,
        name: ["envelope", "id", name],
        title: `id ${name}`,
        level: "decisions",
        rule: "request-id",
        stated: [list.entryOf(method)],
        request: { base, ...set("/id", value) },
        expect: refused,
      });
  }
}
