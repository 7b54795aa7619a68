import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText, type SourceText } from "../../generator/source/index.ts";

/** A watch loads a spec again with the sources that have not changed: what is made of those follows the ones that have. */
const folder = join(import.meta.dirname, "../../spec/ledger");
const files = globSync("**/*.yaml", { cwd: folder }).toSorted();
const textOf = (path: string): string => readFileSync(join(folder, path), "utf8");

/** A change of every declaration of a section. */
const edits: readonly (readonly [what: string, section: string, edit: (declaration: object) => object])[] = [
  [
    "a field more in every type",
    "types",
    (type) =>
      "fields" in type && Array.isArray(type.fields)
        ? {
            ...type,
            fields: [{ name: "added", type: "string", doc: "New.", optional: true }, ...type.fields],
          }
        : type,
  ],
  [
    "a required field in every type, which no example has",
    "types",
    (type) =>
      "fields" in type && Array.isArray(type.fields)
        ? { ...type, fields: [...type.fields, { name: "added", type: "string", doc: "New." }] }
        : type,
  ],
  [
    "the fields of every type the other way round",
    "types",
    (type) =>
      "fields" in type && Array.isArray(type.fields) ? { ...type, fields: type.fields.toReversed() } : type,
  ],
  ["another condition of every error", "errors", (error) => ({ ...error, condition: "In other cases." })],
  ["another text of every method", "methods", (method) => ({ ...method, doc: "Does something else." })],
];

test.each(edits)("%s changes what a new process says, too", (_what, section, edit) => {
  const before = files.map((path) => sourceText(path, textOf(path)));
  expect(loadServiceModel("spec", () => before).value).toBeDefined();
  const after = before.map((source) => edited(source, section, edit));
  expect(after.some((source, at) => source === before[at])).toBe(true);
  const reused = loadServiceModel("spec", () => after);
  const fresh = loadServiceModel("spec", () => after.map(({ path, text }) => sourceText(path, text)));
  expect(JSON.stringify(reused.value, withoutSource)).toBe(JSON.stringify(fresh.value, withoutSource));
  expect(JSON.stringify(reused.diagnostics, withoutSource)).toBe(
    JSON.stringify(fresh.diagnostics, withoutSource),
  );
});

/** The source itself where it has nothing of the section. */
function edited(source: SourceText, section: string, edit: (declaration: object) => object): SourceText {
  const content: unknown = parse(source.text);
  const declarations: unknown = Object(content)[section];
  if (typeof declarations !== "object" || declarations === null) return source;
  const changed = Object.entries(declarations).map(([name, declaration]) => [
    name,
    edit(Object(declaration)),
  ]);
  const text = stringify({ ...Object(content), [section]: Object.fromEntries(changed) });
  return sourceText(source.path, text);
}

function withoutSource(key: string, value: unknown): unknown {
  return key === "source" ? Object(value).path : value;
}
