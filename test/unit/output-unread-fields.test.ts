import { expect, test } from "vitest";
import type { PayloadModel } from "../../generator/model/index.ts";
import { unreadFields } from "../../generator/output/handlers/unread-fields.ts";
import { field, libraryModel, object } from "./emit-library-model.ts";

const optional = { presence: { kind: "optional" } } as const;
const payload: PayloadModel = {
  kind: "single",
  shape: object([
    field("id", { kind: "string" }),
    field("title", { kind: "string" }, optional),
    field("data-2", { kind: "string" }, optional),
  ]),
};
const opening = "export const getNote: GetNoteHandler<Contexts> = async";

test.each([
  ["ignores both", `${opening} ({ id }) => id;`, ["title", "data-2"]],
  ["takes one out", `${opening} ({ id, title }) => id + title;`, ["data-2"]],
  ["reads them", `${opening} (payload) => payload.title + payload["data-2"];`, []],
  ["reads one", `${opening} (payload, context) => context.find(payload.title);`, ["data-2"]],
  ["takes one out of it", `${opening} (payload) => {\n  const { title } = payload;\n};`, ["data-2"]],
  ["takes the rest out", `${opening} ({ id, ...rest }) => save(rest);`, []],
  ["passes it on", `${opening} (payload, context) => auditPage(context, payload);`, []],
  ["spreads it", `${opening} (asked) => page({ ...asked, state: "DEAD" });`, []],
  ["gives it back", `${opening} (payload) => payload;`, []],
  [
    "passes it to a function of its own",
    `${opening} (payload) => read(payload, 1);\nfunction read({ title }: P) {}`,
    ["data-2"],
  ],
  [
    "is a function",
    `export async function getNote(payload: P) {\n  return payload.id;\n}`,
    ["title", "data-2"],
  ],
  ["says why not", `${opening} ({ id }) => id; // title and data-2 are for display`, []],
  ["names them in the doc", `/** By title and data-2. */\n${opening} ({ id }) => id;`, ["title", "data-2"]],
  ["is exported by another file", `export { getNote } from "./fetch-note.ts";`, []],
])("a body that %s", (_, text, unread) => {
  expect(unreadFields(text, "getNote", payload, libraryModel())).toEqual(unread);
});

const place = object([
  field("city", { kind: "string" }),
  field("county", { kind: "string" }, optional),
  field("inner", object([field("floor", { kind: "string" }, optional)])),
]);
const withPlace: PayloadModel = {
  kind: "single",
  shape: object([field("id", { kind: "string" }), field("place", place)]),
};

test.each([
  ["reads other members of it", `${opening} ({ place }) => place.city + place.inner;`, ["place.county"]],
  ["reads them of the payload", `${opening} (payload) => payload.place.city;`, ["place.county"]],
  [
    "takes others out of it",
    `${opening} (payload) => {\n  const { city } = payload.place;\n};`,
    ["place.county"],
  ],
  ["goes deeper", `${opening} ({ place }) => [place.county, place.inner?.door];`, ["place.inner.floor"]],
  ["says why it reads nothing of it", `${opening} ({ id }) => id; // place is for display`, []],
  [
    "calls it otherwise",
    `${opening} (payload) => {\n  const { id, place: at } = payload;\n  save(at);\n};`,
    [],
  ],
  ["takes it by another name", `${opening} ({ place: at }) => save(at);`, []],
  ["passes it on", `${opening} ({ place }) => save(place);`, []],
  ["passes it on from the payload", `${opening} (payload) => save(payload.place);`, []],
  ["puts it into another object", `${opening} ({ id, place }) => ({ id, place });`, []],
  ["takes the rest out of it", `${opening} ({ place }) => {\n  const { city, ...rest } = place;\n};`, []],
  ["says why not", `${opening} ({ place }) => place.city; // county and floor are for display`, []],
])("a body that gets an object and %s", (_, text, unread) => {
  expect(unreadFields(text, "getNote", withPlace, libraryModel())).toEqual(unread);
});
