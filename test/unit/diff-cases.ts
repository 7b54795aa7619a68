import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, parse, parseDocument, stringify } from "yaml";
import { z } from "zod";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "./diagnostics-cases.ts";

export const casesFolder = join(import.meta.dirname, "../cases/diff");

/** Files by path within their folder. */
export type Fragment = ReadonlyMap<string, string>;

export function fragmentIn(folder: string): Fragment | undefined {
  if (!existsSync(folder)) return undefined;
  const paths = globSync("**/*.yaml", { cwd: folder }).toSorted();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
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
    if (parse(file) !== null) files.set(`library/${path}`, file);
  }
  if (hasInterface) files.set("library/interface.yaml", interfaceWith(own.map((each) => each["interface"])));
  for (const [path, text] of base) files.set(`library-1.1.0/${path}`, text.replace("1.2.0", "1.1.0"));
  return files;
}

/** What each file of the base defines, by section: most fragments define again what is in one file of it. */
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

function interfaceWith(parts: readonly unknown[]): string {
  const whole = Interface.parse(
    z.object({ interface: z.unknown() }).parse(parse(base.get("interface.yaml") ?? "")).interface,
  );
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
