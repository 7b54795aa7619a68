import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMap, parse, parseDocument, stringify } from "yaml";
import { z } from "zod";
import { rules } from "../../generator/diff/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "./diagnostics-cases.ts";

export const casesFolder = join(import.meta.dirname, "../cases/diff");

/** Files by path within their folder. */
export type Fragment = ReadonlyMap<string, string>;

/** Two revisions of the library: what is laid over it in each. A side is absent where there is no interface. */
export interface DiffCase {
  readonly old: Fragment | undefined;
  readonly new: Fragment | undefined;
}

function fragmentIn(folder: string): Fragment | undefined {
  if (!existsSync(folder)) return undefined;
  const paths = globSync("**/*.yaml", { cwd: folder }).toSorted();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Cases with a folder of their own: scenarios, and rules whose example says less than two whole specs. */
const folderCases: ReadonlyMap<string, DiffCase> = new Map(
  globSync("*/{old,new}", { cwd: casesFolder })
    .map((path) => dirname(path))
    .toSorted()
    .map((name) => {
      const [old, recent] = ["old", "new"].map((side) => fragmentIn(join(casesFolder, name, side)));
      return [name, { old, new: recent }];
    }),
);

/** All cases: the example of each rule, and those that have a folder. */
export const diffCases: ReadonlyMap<string, DiffCase> = new Map([
  ...[...rules].map(
    ([id, { before, after }]) => [id, { old: asFragment(before), new: asFragment(after) }] as const,
  ),
  ...folderCases,
]);

/** The rules whose example is their case, by area: what is said of those of an area is in one file. */
const areas = Map.groupBy(
  [...rules].filter(([id]) => !folderCases.has(id)),
  ([, { area }]) => area,
);

/** What is expected to be said of each case. */
export const expectedTexts: ReadonlyMap<string, string> = new Map([
  ...[...areas.keys()].flatMap((area) => sectionsOf(readFileSync(areaFile(area), "utf8"))),
  ...[...folderCases.keys()].map((name) => [name, readFileSync(folderFile(name), "utf8")] as const),
]);

/** Writes down what is said of each case. */
export function writeExpected(textOf: (name: string) => string): void {
  for (const [area, held] of areas)
    writeFileSync(areaFile(area), held.map(([id]) => `== ${id}\n\n${textOf(id)}`).join("\n"));
  for (const name of folderCases.keys()) writeFileSync(folderFile(name), textOf(name));
}

function areaFile(area: string): string {
  return join(casesFolder, "expected", `${area}.txt`);
}

function folderFile(name: string): string {
  return join(casesFolder, name, "expected.txt");
}

/** The text below each heading `== <rule>`. */
function sectionsOf(text: string): readonly (readonly [string, string])[] {
  return text
    .split(/^== /m)
    .slice(1)
    .map((section) => {
      const at = section.indexOf("\n");
      return [section.slice(0, at), `${section.slice(at).trim()}\n`];
    });
}

/** The case of this name. */
export function diffCase(name: string): DiffCase {
  const found = diffCases.get(name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
}

/** Both revisions of a case in which there are two. */
export function revisionsOf(name: string): readonly [ServiceModel, ServiceModel] {
  const { old, new: recent } = diffCase(name);
  if (old === undefined || recent === undefined) throw new Error(`${name} has one revision`);
  return [libraryWith(old), libraryWith(recent)];
}

function asFragment(text: string): Fragment {
  return new Map([["change.yaml", text]]);
}

const Definitions = z.record(z.string(), z.unknown()).nullish();

const base = fragmentIn(join(casesFolder, "base")) ?? new Map<string, string>();

/**
 * The library, in which the definitions of a fragment take the place of those of the same name. A fragment that has a
 * `library/` folder of its own stands alone.
 */
export function libraryWith(fragment: Fragment): ServiceModel {
  const { value, diagnostics } = loadServiceModel("library", readerOf(laidOver(fragment)));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (value === undefined) {
    const texts = errors.map(({ code, message }) => `${code}: ${message}`);
    throw new Error(`the fragment is no spec:\n${texts.join("\n")}\n${[...fragment.values()].join("\n")}`);
  }
  return value;
}

const sections = [
  "types",
  "methods",
  "errors",
  "events",
  "states",
  "rules",
  "resources",
  "scenarios",
  "requirements",
];

function laidOver(fragment: Fragment): ReadonlyMap<string, string> {
  if ([...fragment.keys()].some((path) => path.startsWith("library/"))) return fragment;
  const files = new Map<string, string>();
  // The library speaks the signed envelope: a spec of a standard interface stands alone.
  const isWhole = [...fragment.values()].some(
    (text) => text.includes("json-rpc-2.0") || text.includes("name: tasks"),
  );
  if (isWhole) return new Map([...fragment].map(([path, text]) => [`library/${path}`, text] as const));
  const own = [...fragment.values()].map((text) => Definitions.parse(parse(text)) ?? {});
  const hasInterface = own.some((each) => each["interface"] !== undefined);
  for (const [path, text] of base) files.set(`library/${path}`, without(text, own));
  for (const [path, text] of fragment) {
    const file = hasInterface ? withoutInterface(text) : text;
    if (/^[^#\s]/m.test(file)) files.set(`library/${path}`, file);
  }
  if (hasInterface) files.set("library/interface.yaml", interfaceWith(own.map((each) => each["interface"])));
  for (const [path, text] of base) files.set(`library-1.1.0/${path}`, text.replace("1.2.0", "1.1.0"));
  return files;
}

/** The definitions of each base file, by section: most fragments redefine those of one file. */
const defined = new Map(
  [...base.values()].map((text) => [text, Definitions.parse(parse(text)) ?? {}] as const),
);

/** The text of a file of the base without what is defined again, as it is where nothing is. */
function without(text: string, own: readonly Readonly<Record<string, unknown>>[]): string {
  const again = sections.flatMap((section) => {
    const held = Definitions.parse(defined.get(text)?.[section]) ?? {};
    const names = own.flatMap((each) => Object.keys(Definitions.parse(each[section]) ?? {}));
    return names.filter((name) => Object.hasOwn(held, name)).map((name) => [section, name] as const);
  });
  if (again.length === 0) return text;
  const key = JSON.stringify([text, again]);
  const known = shortened.get(key);
  if (known !== undefined) return known;
  const document = parseDocument(text);
  for (const path of again) document.deleteIn(path);
  for (const section of sections) {
    const held = document.get(section);
    if (isMap(held) && held.items.length === 0) document.delete(section);
  }
  const rest = document.toString();
  shortened.set(key, rest);
  return rest;
}

/** Both sides of a case mostly define the same again. */
const shortened = new Map<string, string>();

function withoutInterface(text: string): string {
  const document = parseDocument(text);
  document.delete("interface");
  return isMap(document.contents) && document.contents.items.length > 0 ? document.toString() : "";
}

const Interface = z.looseObject({ faults: Definitions });

const whole = Interface.parse(
  z.object({ interface: z.unknown() }).parse(parse(base.get("interface.yaml") ?? "")).interface,
);

function interfaceWith(parts: readonly unknown[]): string {
  const own = Interface.parse(Object.assign({}, ...parts));
  return stringify({ interface: { ...whole, ...own, faults: { ...whole.faults, ...own.faults } } });
}

/** The same as one document. */
export function documentWith(fragment: Fragment): Readonly<Record<string, unknown>> {
  const whole: Record<string, unknown> = {};
  for (const [path, text] of laidOver(fragment)) {
    if (!path.startsWith("library/")) continue;
    for (const [section, held] of Object.entries(Definitions.parse(parse(text)) ?? {})) {
      whole[section] = { ...Definitions.parse(whole[section]), ...Definitions.parse(held) };
    }
  }
  return whole;
}
