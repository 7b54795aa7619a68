import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { diagnosticJson, renderDiagnostic } from "../../generator/language/diagnostics/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { baseProject, filesUnder, readerOf, type ProjectFiles } from "./diagnostics-cases.ts";
import { fc, runs } from "../seed.ts";

const specs = join(import.meta.dirname, "../../spec");
/** One that the others build on, and those. */
const names = ["admin", "ledger", "operator"];
const project: ProjectFiles = new Map(
  names.flatMap((name) =>
    [...filesUnder(join(specs, name))].map(([path, text]) => [`spec/${name}/${path}`, text] as const),
  ),
);

test("the model is the same whatever the order of keys and files, and whichever file holds what", () => {
  const expected = names.map((name) => printedModel(project, name));
  fc.assert(
    fc.property(fc.noBias(fc.integer()), (seed) => {
      const shuffled = rearranged(project, randomFrom(seed));
      for (const [at, name] of names.entries()) {
        expect(firstDifference(printedModel(shuffled, name), expected[at] ?? "")).toBeUndefined();
      }
    }),
    { numRuns: runs(3) },
  );
});

test("no text makes the front end throw, and whatever it says can be printed", () => {
  const texts = [...baseProject().values(), ...project.values()];
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(splice(), { minLength: 1, maxLength: 6 }),
      (text, splices) => {
        const mangled = splices.reduce((current, apply) => apply(current), text);
        const files = new Map([...baseProject(), ["library/mangled.yaml", mangled]]);
        const { diagnostics } = loadServiceModel("library", readerOf(files));
        for (const diagnostic of diagnostics) {
          expect(renderDiagnostic(diagnostic)).toContain(diagnostic.code);
          expect(diagnosticJson(diagnostic).path).toMatch(/^library/);
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test("no bytes make the front end throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fragment() })), (text) => {
      const files = new Map([...baseProject(), ["library/noise.yaml", text]]);
      for (const diagnostic of loadServiceModel("library", readerOf(files)).diagnostics) {
        expect(renderDiagnostic(diagnostic).split("\n").length).toBeLessThan(12);
      }
    }),
    { numRuns: runs(60) },
  );
});

/** The model as text, without places; keys in the order in which emitters would meet them. */
function printedModel(files: ProjectFiles, name: string): string {
  const { value, diagnostics } = loadServiceModel(`spec/${name}`, readerOf(files));
  expect(diagnostics.map((diagnostic) => renderDiagnostic(diagnostic))).toEqual([]);
  return JSON.stringify(value, (key, inner: unknown) => (key === "span" ? undefined : inner));
}

/** What both say around the place where they part. */
function firstDifference(a: string, b: string): readonly string[] | undefined {
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return [a, b].map((text) => text.slice(Math.max(0, at - 80), at + 80));
}

/** Every mapping in another order, every definition in another file. */
function rearranged(files: ProjectFiles, random: () => number): ProjectFiles {
  const result = new Map<string, string>();
  for (const name of names) {
    const documents = ["a", "b/c", "z"].map((): Record<string, Record<string, unknown>> => ({}));
    const definitions = [...files]
      .filter(([path]) => path.startsWith(`spec/${name}/`))
      .flatMap(definitionsIn);
    for (const [section, key, value] of shuffled(definitions, random)) {
      const document = documents[Math.floor(random() * documents.length)] ?? {};
      const shuffledValue = withShuffledKeys(value, random);
      if (section === "interface") Object.assign(document, { interface: shuffledValue });
      else document[section] = { ...document[section], [key]: shuffledValue };
    }
    for (const [at, document] of documents.entries()) {
      result.set(`spec/${name}/${"xmc"[at]}-${at}.yaml`, stringify(document));
    }
  }
  return new Map(shuffled([...result], random));
}

function definitionsIn([, text]: readonly [string, string]): readonly (readonly [string, string, unknown])[] {
  const document: Record<string, Record<string, unknown>> = parse(text);
  return Object.entries(document).flatMap(([section, body]) =>
    section === "interface"
      ? [[section, "", body] as const]
      : Object.entries(body).map(([key, value]) => [section, key, value] as const),
  );
}

function withShuffledKeys(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => withShuffledKeys(item, random));
  if (typeof value !== "object" || value === null) return value;
  const entries = shuffled(Object.entries(value), random);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withShuffledKeys(inner, random)]));
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Text that means something to YAML or to the language. */
function fragment() {
  const plain =
    "types:¦  ¦- ¦? ¦: ¦{¦}¦[¦]¦&a ¦*a¦!!str ¦'¦\"¦#¦%¦@¦null¦~¦1e999¦0x10¦<<: ¦doc: x¦enum: ¦type: array of ¦fields: ¦" +
    "interface:¦payload: ¦examples: [{¦requiredWhen: {¦constructor: 1¦forms: {a: {fields: []}}¦selectedBy: ¦" +
    "errors: {BAD_INPUT: }¦states: {x: {type: Genre, transitions: [{from: any}]}}";
  const special = [
    "\n",
    "\t",
    "\r\n",
    "\uFEFF",
    "\uD800",
    "\u0000",
    "|\n",
    ">\n",
    "---\n",
    "methods:\n  A.B:",
  ];
  return fc.constantFrom(...plain.split("¦"), ...special);
}

/** Replaces a part of a text by a fragment, or by nothing. */
function splice() {
  return fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(30), fc.oneof(fc.constant(""), fragment()))
    .map(([place, length, inserted]) => (text: string) => {
      const start = Math.floor(place * text.length);
      return text.slice(0, start) + inserted + text.slice(start + length);
    });
}
