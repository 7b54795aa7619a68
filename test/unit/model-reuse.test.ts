import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { diffModels } from "../../generator/diff/index.ts";
import type { Result } from "../../generator/language/diagnostics/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText, type SourceText } from "../../generator/language/source/index.ts";
import { isSoak } from "../seed.ts";

/** A watch loads a spec again with the sources that have not changed: what is made of those follows the ones that have. */
const folder = join(import.meta.dirname, "../..", isSoak ? "spec/ledger" : "test/cases/diff/lively");
const files = globSync("**/*.yaml", { cwd: folder }).toSorted();
const contents = new Map<string, unknown>();
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

const before = files.map((path) => sourceText(path, textOf(path)));

test.each(edits)("%s changes what a new process says, too", (_what, section, edit) => {
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

const laterFiles = files.map((path) => sourceText(path, later(textOf(path))));
const earlierFiles = files.map((path) => sourceText(`earlier/${path}`, textOf(path)));

test.each<readonly [what: string, after: readonly SourceText[]]>([
  [
    "another text in it",
    earlierFiles.map((source) =>
      edited(source, "methods", (method) => ({ ...method, doc: "Does something else." })),
    ),
  ],
  ["a file less", earlierFiles.slice(1)],
  ["no file", []],
])("%s changes an earlier revision that is served, too", (_what, after) => {
  expect(withEarlier(earlierFiles).value?.serves).toHaveLength(1);
  const fresh = withEarlier(after.map(({ path, text }) => sourceText(path, text)));
  const reused = withEarlier(after);
  expect(JSON.stringify([reused.value, reused.diagnostics], withoutSource)).toBe(
    JSON.stringify([fresh.value, fresh.diagnostics], withoutSource),
  );
  expect(JSON.stringify(withEarlier(earlierFiles).value, withoutSource)).not.toBe(
    JSON.stringify(reused.value, withoutSource),
  );
});

test("two models are compared once", () => {
  const { value: model } = withEarlier(earlierFiles);
  const earlier = model?.serves?.[0]?.model;
  if (model === undefined || earlier === undefined) throw new Error("no earlier revision is served");
  expect(diffModels(earlier, model)).toBe(diffModels(earlier, model));
});

function withEarlier(earlier: readonly SourceText[]): Result<ServiceModel> {
  return loadServiceModel("spec", (read) => (read === "earlier" ? earlier : laterFiles));
}

/** A file at the next revision of the interface, which serves the one before. */
function later(text: string): string {
  const content: unknown = parse(text);
  const own: { readonly revision: string } | undefined = Object(content).interface;
  if (own === undefined) return text;
  const serves = [{ revision: own.revision, spec: "../earlier" }];
  return stringify({ ...Object(content), interface: { ...own, revision: "99.0.0", serves } });
}

/** The source itself where it has nothing of the section. */
function edited(source: SourceText, section: string, edit: (declaration: object) => object): SourceText {
  const content = contentOf(source.text);
  const declarations: unknown = Object(content)[section];
  if (typeof declarations !== "object" || declarations === null) return source;
  const changed = Object.entries(declarations).map(([name, declaration]) => [
    name,
    edit(Object(declaration)),
  ]);
  const text = stringify({ ...Object(content), [section]: Object.fromEntries(changed) });
  return sourceText(source.path, text);
}

/** The content of a text, read once. */
function contentOf(text: string): unknown {
  const content: unknown = contents.get(text) ?? parse(text);
  contents.set(text, content);
  return content;
}

function withoutSource(key: string, value: unknown): unknown {
  return key === "source" ? Object(value).path : value;
}
