import { expect, test } from "vitest";
import { emitter as support } from "../../generator/targets/support/index.ts";
import { emitter as validators } from "../../generator/targets/validators/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { libraryLayout } from "./emit-library-model.ts";

/** Each the only type of an interface: nothing else there asks for the functions that its checks call. */
const fields = [
  "type: string, minLength: 0",
  "type: string, optional: true",
  "type: string, optional: true, maxLength: 3",
  "type: string, optional: true, minLength: 2",
  "type: string, optional: true, pattern: ^a$",
  "type: string, optional: true, const: a",
  "type: integer, minimum: 1",
  "type: boolean",
  "type: json",
  "type: array of integer",
  "type: array of integer, uniqueItems: true, minItems: 1",
  "type: map of integer",
  "type: integer|null",
  "type: integer|boolean",
  "type: 'tuple of [integer, boolean]'",
  ...[
    "uuid",
    "uri",
    "email",
    "date-time",
    "iso-date",
    "time",
    "ipv6",
    "hostname",
    "date",
    "timestamp",
    "money",
  ].map((type) => `type: ${type}, optional: true`),
];

test.each(fields)("a validator of { %s } imports what there is", (field) => {
  const spec = `
interface: { name: one, wire: { protocol: json-rpc-2.0 } }
methods:
  one: { payload: { fields: [{ name: a, ${field} }] }, result: none }
`;
  const { value: model } = loadServiceModel("one", () => [sourceText("one/one.yaml", spec)]);
  if (model === undefined) throw new Error(`${spec} has a mistake`);
  const drafts = validators.emit(model, libraryLayout);
  const module = support.emit(model, libraryLayout).find(({ path }) => path.endsWith("/support.js"));
  const offered = [...(module?.text ?? "").matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  const imported = drafts.flatMap(({ text }) =>
    [...text.matchAll(/^import \{ ([^}]+) \} from "\.\/support\.js";/gm)].flatMap(([, names = ""]) =>
      names.split(", "),
    ),
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !offered.includes(name))).toEqual([]);
});
