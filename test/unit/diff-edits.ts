import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "./diagnostics-cases.ts";
import { fc } from "../seed.ts";

/** A spec as plain values, all files in one. */
export type SpecDocument = Readonly<Record<string, unknown>>;

const Mapping = z.record(z.string(), z.unknown());

/** What the files of a folder say. */
export function documentIn(folder: string): SpecDocument {
  const whole: Record<string, Record<string, unknown>> = {};
  for (const path of globSync("**/*.yaml", { cwd: folder }).toSorted()) {
    const file = Mapping.parse(parse(readFileSync(join(folder, path), "utf8")));
    for (const [section, held] of Object.entries(file))
      whole[section] = { ...whole[section], ...Mapping.parse(held) };
  }
  return whole;
}

/** Undefined where the document is no spec. */
export function modelOf(document: SpecDocument): ServiceModel | undefined {
  return loadServiceModel(
    "spec",
    readerOf(new Map([["spec/all.yaml", stringify(document, { aliasDuplicateObjects: false })]])),
  ).value;
}

/** One way to change something: which place, and how, by lot. */
export interface Edit {
  readonly place: number;
  readonly how: number;
  readonly what: number;
}

export const edits: fc.Arbitrary<Edit> = fc.record({
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  how: fc.nat(999),
  what: fc.nat(999),
});

type Path = readonly (string | number)[];

/** The document with one place removed, altered or doubled. Most edits of a spec leave a spec; some do not. */
export function edited(document: SpecDocument, { place, how, what }: Edit): SpecDocument {
  const copy: unknown = structuredClone(document);
  const paths = placesIn(copy, []);
  const path = paths[Math.floor(place * paths.length)] ?? [];
  const holder = at(copy, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined) return document;
  const value = at(copy, path);
  if (how % 4 === 0) remove(holder, key);
  else if (how % 4 === 1) double(holder, key, value, what);
  else put(holder, key, altered(value, copy, String(key), what));
  return Mapping.parse(copy);
}

function placesIn(node: unknown, path: Path): readonly Path[] {
  if (typeof node !== "object" || node === null) return [path];
  const keys = Array.isArray(node) ? node.map((_, index) => index) : Object.keys(node);
  const inner = keys.flatMap((key) => placesIn(childOf(node, key), [...path, key]));
  return path.length < 2 ? inner : [path, ...inner];
}

function childOf(node: object, key: string | number): unknown {
  return Array.isArray(node) ? node[Number(key)] : Mapping.parse(node)[key];
}

function at(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (node, key) => (typeof node === "object" && node !== null ? childOf(node, key) : undefined),
    root,
  );
}

function put(holder: unknown, key: string | number, value: unknown): void {
  if (typeof holder === "object" && holder !== null) Reflect.set(holder, key, value);
}

function remove(holder: unknown, key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (typeof holder === "object" && holder !== null) Reflect.deleteProperty(holder, key);
}

function double(holder: unknown, key: string | number, value: unknown, what: number): void {
  const copy: unknown = structuredClone(value);
  if (!Array.isArray(holder)) return put(holder, `${String(key)}${what}`, copy);
  const named = typeof copy === "object" && copy !== null ? copy : undefined;
  for (const name of ["name", "value"]) {
    if (named !== undefined && name in named) put(named, name, `${String(childOf(named, name))}${what}`);
  }
  holder.push(named ?? `${String(copy)}${what}`);
}

const words: Readonly<Record<string, readonly unknown[]>> = {
  type: [
    "string",
    "integer",
    "number",
    "money",
    "boolean",
    "timestamp",
    "offset-timestamp",
    "date",
    "array of string",
  ],
  effect: ["read", "set", "create"],
  jsonrpc: ["present", "absent"],
  optional: [true, false],
};

function altered(value: unknown, root: unknown, key: string, what: number): unknown {
  const known = words[key];
  if (key === "type" && what % 3 === 0) {
    const types = Object.keys(Mapping.parse(at(root, ["types"]) ?? {}));
    return types[what % types.length];
  }
  if (known !== undefined) return known[what % known.length];
  if (typeof value === "string")
    return /^\d+\.\d+\.\d+$/.test(value) ? `1.${what % 9}.${what % 7}` : `${value}${what}`;
  if (typeof value === "number") return value + (what % 2 === 0 ? 1 : -1);
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.toReversed();
  if (typeof value !== "object" || value === null) return value;
  return { ...value, ...additions[what % additions.length] };
}

/** Keys that some mapping takes. */
const additions: readonly Readonly<Record<string, unknown>>[] = [
  { optional: true },
  { deprecated: "Gone in 9.0.0." },
  { since: "1.0.0" },
  { sensitive: true },
  { maxLength: 40 },
  { minLength: 1 },
  { minLength: 0 },
  { pattern: "^[A-Z]+$" },
  { minimum: 1 },
  { maximum: 100 },
  { minItems: 1 },
  { uniqueItems: true },
  { section: "9" },
  { decision: "D-99" },
  { spellings: ["AnotherName"] },
  { alsoSentAs: "anotherName" },
  { renamedFrom: "PastName" },
  { const: "ONLY" },
  { everyMethod: true },
  { emits: ["Loan.NEW"] },
  { condition: "it is so" },
  { effects: ["bells ring"] },
  { example: "an example" },
  { otherCauses: ["The night."] },
  { by: "BookService.EndLoan" },
  { jsonrpc: "absent" },
  { errors: { UNAUTHORIZED: {} } },
];

/** The same document with its mappings, and those lists whose order means nothing, in another order. */
export function permuted(document: SpecDocument, lots: fc.RandomGenerator | (() => number)): SpecDocument {
  const next = typeof lots === "function" ? lots : () => 0;
  const shuffle = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, lot: next() }))
      .toSorted((a, b) => a.lot - b.lot)
      .map(({ item }) => item);
  const visit = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) {
      const items = node.map((item: unknown) => visit(item, key));
      return isOrdered.has(key) ? items : shuffle(items);
    }
    if (typeof node !== "object" || node === null) return node;
    if (key === "payload-value") return node;
    return Object.fromEntries(
      shuffle(Object.entries(node)).map(([name, value]) => [
        name,
        isValue.has(name) && key !== "methods-entry" ? value : visit(value, name),
      ]),
    );
  };
  return Mapping.parse(visit(document, ""));
}

/** Lists that are read from first to last. */
const isOrdered: ReadonlySet<string> = new Set(["steps", "before", "after", "in"]);
/** Values of examples and scenarios, in which the order of a list is a value. */
const isValue: ReadonlySet<string> = new Set(["examples", "example", "steps", "before", "after"]);

/** A model without places and without the order of what has none: the same text for the same interface. */
export function canonical(model: ServiceModel): string {
  return JSON.stringify(bare(model, ""));
}

function bare(node: unknown, key: string): unknown {
  if (typeof node === "string") return node.replaceAll(/\s+/g, " ").trim();
  if (Array.isArray(node)) {
    const items = node.map((item: unknown) => bare(item, key));
    return ["payload", "result", "example", "steps"].includes(key)
      ? items
      : items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(([name]) => name !== "span");
  return Object.fromEntries(
    entries
      .map(([name, value]) => [name, bare(value, name)])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
}
