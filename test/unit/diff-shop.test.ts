import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diffModels } from "../../generator/diff/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { casesFolder } from "./diff-cases.ts";

const shop = readFileSync(join(casesFolder, "shop/shop.yaml"), "utf8");

function modelOf(text: string): ServiceModel {
  const { value, diagnostics } = loadServiceModel("shop", () => [sourceText("shop/shop.yaml", text)]);
  if (value === undefined)
    throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  return value;
}

function edited(find: string, by: string): string {
  if (!shop.includes(find)) throw new Error(`the shop's spec has no ${find}`);
  return shop.replace(find, () => by);
}

/** Whom a change breaks: callers, receivers of events, both or nobody. */
function brokenBy(old: ServiceModel, recent: ServiceModel): string {
  const changes = diffModels(old, recent);
  const parties = ["callers", "receivers"].filter((party) =>
    changes.some(({ impacts }) =>
      impacts.some((each) => each.party === party && each.severity === "breaking"),
    ),
  );
  return parties.join(" and ") || "nobody";
}

const base = modelOf(shop);
const full = "- { name: full, type: boolean, default: false, doc: Whether all is told. }";
const name = "- { name: name, type: string, doc: Its name. }";
const asked = (field: string): readonly [string, string] => [full, `${full}\n        - ${field}`];
const answered = (field: string): readonly [string, string] => [name, `${name}\n      - ${field}`];

/** An edit of the shop, whom it breaks, and whom its opposite breaks. */
const edits: readonly (readonly [
  what: string,
  edit: readonly [string, string],
  there: string,
  back: string,
])[] = [
  // What callers send.
  // Back: a parameter that there is not is refused.
  [
    "an optional field in a request",
    asked("{ name: lang, type: string, optional: true, doc: Language. }"),
    "nobody",
    "callers",
  ],
  [
    "a required field in a request",
    asked("{ name: lang, type: string, doc: Language. }"),
    "callers",
    "callers",
  ],
  [
    "a field with a default in a request",
    asked("{ name: lang, type: string, default: en, doc: Language. }"),
    "nobody",
    "callers",
  ],
  [
    "a default in place of nothing",
    ["level, type: Level, optional: true", "level, type: Level, default: 1"],
    "nobody",
    "nobody",
  ],
  [
    "no default, and required",
    ["full, type: boolean, default: false,", "full, type: boolean,"],
    "callers",
    "nobody",
  ],
  ["a smaller maximum in a request", ["maximum: 99", "maximum: 50"], "callers", "nobody"],
  ["fractions in a request", ["count, type: integer", "count, type: number"], "nobody", "callers"],
  [
    "null in a request",
    ["email, type: string, optional", "email, type: string|null, optional"],
    "nobody",
    "callers",
  ],
  [
    "lists beside single values in a request",
    ["tag, type: string, optional", "tag, type: string|array of string, optional"],
    "nobody",
    "callers",
  ],
  [
    "a list in place of a single value in a request",
    ["tag, type: string, optional", "tag, type: array of string, optional"],
    "callers",
    "callers",
  ],
  [
    "a format in a request",
    ["tag, type: string, optional", "tag, type: uuid, optional"],
    "callers",
    "nobody",
  ],
  [
    "a number of an enum that only requests have",
    ["{ value: 2, doc: High. }", "{ value: 2, doc: High. }\n      - { value: 3, doc: Top. }"],
    "nobody",
    "callers",
  ],
  [
    "a third field of which one is needed",
    ["atLeastOneOf: [[name, code]]", "atLeastOneOf: [[name, code, tag]]"],
    "nobody",
    "callers",
  ],
  [
    "at most one in place of at least one",
    ["atLeastOneOf: [[name, code]]", "exactlyOneOf: [[name, code]]"],
    "callers",
    "nobody",
  ],
  ["a second group", ["[[name, code]]", "[[name, code], [code, tag]]"], "callers", "nobody"],
  ["no group", ["\n      exactlyOneOf: [[email, phone]]", ""], "nobody", "callers"],
  [
    "a field that is needed with a value of another",
    asked("{ name: why, type: string, requiredWhen: { field: full, is: [true] }, doc: Why. }"),
    "callers",
    "callers",
  ],
  // What callers get.
  ["a field in an answer", answered("{ name: weight, type: number, doc: In kg. }"), "nobody", "callers"],
  [
    "an optional field in an answer",
    answered("{ name: weight, type: number, optional: true, doc: In kg. }"),
    "nobody",
    "nobody",
  ],
  [
    "a field that an answer may leave out",
    ["minimum: 0, doc: Its price.", "minimum: 0, optional: true, doc: Its price."],
    "callers",
    "nobody",
  ],
  ["null in an answer", [name, name.replace("string", "string|null")], "callers", "nobody"],
  ["any value in an answer", [name, name.replace("string", "json")], "callers", "nobody"],
  ["longer lists in an answer", ["maxItems: 10", "maxItems: 20"], "callers", "nobody"],
  [
    "an open enum in place of text in an answer",
    ["order, type: string,", "order, type: Color,"],
    "nobody",
    "callers",
  ],
  ["fractions in a map of an answer", ["map of integer", "map of number"], "callers", "nobody"],
  [
    "a third value of a tuple",
    ["tuple of [string, integer]", "tuple of [string, integer, string]"],
    "callers",
    "callers",
  ],
  [
    "an object around a list",
    ["result: array of Item", "result: { fields: [{ name: items, type: array of Item, doc: Items. }] }"],
    "callers",
    "callers",
  ],
  // Both.
  [
    "a value of an enum that all have",
    ["{ value: L, doc: Large. }", "{ value: L, doc: Large. }\n      - { value: M, doc: Medium. }"],
    "callers and receivers",
    "callers",
  ],
  [
    "a value of an open enum",
    ["{ value: BLUE, doc: Blue. }", "{ value: BLUE, doc: Blue. }\n      - { value: GREEN, doc: Green. }"],
    "nobody",
    "callers",
  ],
  ["a case of a union that all have", ["cash: Cash }", "cash: Cash, later: Card }"], "callers", "callers"],
  ["another name of a case", ["card: Card,", "credit: Card,"], "callers", "callers"],
  ["another discriminator", ["discriminator: kind", "discriminator: type"], "callers", "callers"],
  [
    "an optional field of a case",
    [
      "doc: Its number. }",
      "doc: Its number. }\n      - { name: holder, type: string, optional: true, doc: Whose. }",
    ],
    "nobody",
    "nobody",
  ],
  // Pages.
  ["smaller pages", ["sizeMax: 100", "sizeMax: 50"], "nobody", "nobody"],
  [
    "a smaller size that may be asked for",
    ["maximum: 100, default: 20", "maximum: 50, default: 20"],
    "callers",
    "nobody",
  ],
  ["pages from 0", ["minimum: 1, default: 1", "minimum: 0, default: 0"], "callers", "callers"],
  // Errors.
  ["another code", ["code: -32011", "code: -32012"], "callers", "callers"],
  ["another text", ["message: Sold out", "message: All gone"], "nobody", "nobody"],
  ["a status that is never sent", ["httpStatus: 409", "httpStatus: 410"], "nobody", "nobody"],
  ["one error fewer", ["{ NO_ITEM: {}, SOLD_OUT: {} }", "{ NO_ITEM: {} }"], "nobody", "nobody"],
  [
    "less data",
    [
      "        - { name: left, type: integer, doc: How many there are. }\n        - { name: again",
      "        - { name: again",
    ],
    "callers",
    "nobody",
  ],
  // Who may call.
  ["one more way to sign in", ["{ machine: [] }]", "{ machine: [] }, { peer: [] }]"], "nobody", "callers"],
  ["one more scope", ["user: [stats]", "user: [stats, admin]"], "callers", "nobody"],
  ["no authentication", ["security: [{ user: [stats] }]", "security: []"], "nobody", "callers"],
  [
    "another header of a scheme that nothing uses",
    ["header: X-Sig", "header: X-Signature"],
    "nobody",
    "nobody",
  ],
  ["another header of a scheme that calls use", ["header: X-Api-Key", "header: X-Key"], "callers", "callers"],
  ["another case of a header's name", ["header: X-Api-Key", "header: x-api-key"], "nobody", "nobody"],
  ["one more audience", ["audience: shop", "audience: [shop, store]"], "nobody", "callers"],
  ["any audience", [", audience: shop", ""], "nobody", "callers"],
  ["one more algorithm", ["[ES256]", "[ES256, EdDSA]"], "nobody", "callers"],
  // How calls travel.
  ["smaller batches", ["max: 20", "max: 10"], "callers", "nobody"],
  ["no batches", ["batch: { max: 20 }", "batch: false"], "callers", "nobody"],
  ["parameters in either way", ["params: by-name", "params: either"], "nobody", "callers"],
  ["parameters by position", ["params: by-name", "params: by-position"], "callers", "callers"],
  ["another transport", ["[http]", "[http, websocket]"], "nobody", "callers"],
  ["another path", ["[http] }", "[http], http: { path: /v2 } }"], "callers", "callers"],
  ["statuses of errors", ["[http] }", "[http], http: { status: mapped } }"], "callers", "callers"],
  // Events.
  [
    "a field of an event",
    [
      "- { name: left, type: integer, optional: true, doc: How many are left. }",
      "- { name: left, type: integer, optional: true, doc: How many are left. }\n        - { name: at, type: date-time, doc: When. }",
    ],
    "nobody",
    "receivers",
  ],
  [
    "an event's field that is always there",
    ["left, type: integer, optional: true", "left, type: integer"],
    "nobody",
    "receivers",
  ],
  [
    "another member for an event's payload",
    ["doc: One was sold.\n", "doc: One was sold.\n    payloadName: data\n"],
    "receivers",
    "receivers",
  ],
];

test.each(edits)("%s", (_what, [find, by], there, back) => {
  const recent = modelOf(edited(find, by));
  expect({ there: brokenBy(base, recent), back: brokenBy(recent, base) }).toEqual({ there, back });
});
