import { posix } from "node:path";
import { builders, utils } from "prettier/doc";
import { bracketed, layOut, lines, type Printable } from "./layout.ts";
import { stringLiteral } from "./literals.ts";
import { createLastMemo } from "./memo.ts";
import { oncePer } from "../language/source/once-per.ts";

/** A name that another module exports. Printing it is what imports it. */
export interface ImportedSymbol {
  readonly name: string;
  /** Path of the module, relative to the project's root; or a word that `ModuleText.places` has the path of. */
  readonly from: string;
  /** Whether it exists only for the type checker. */
  readonly typeOnly: boolean;
  /** The local name it should have; its own name if absent. */
  readonly alias?: string;
}

/** A TypeScript module to print. */
export interface ModuleText {
  /** Relative to the project's root: imports are relative to it. */
  readonly path: string;
  /** The first line, a comment. */
  readonly preamble?: string;
  /** Names that the module declares itself: an imported symbol of the same name gets another one. */
  readonly declares: readonly string[];
  /** Top-level declarations, printed with an empty line between each two. */
  readonly body: readonly Printable[];
  /** Paths of modules that the body names by a word: so modules that import the same from different places share it. */
  readonly places?: Readonly<Record<string, string>>;
}

/** A type of another module. */
export function importedType(name: string, from: string): Printable {
  return imported({ name, from, typeOnly: true });
}

/** A value of another module, under a local name of its own where `alias` says so. */
export function importedValue(name: string, from: string, alias = name): Printable {
  return imported({ name, from, typeOnly: false, alias });
}

/** The module's text, with exactly the imports that its body uses. */
export function printModule(module: ModuleText): string {
  const names = new LocalNames(module.declares);
  const used = symbolsOf(module.body);
  for (const symbol of used) names.add(symbol);
  const imports = layOut(lines(importStatements(module, used, names)));
  const preamble = module.preamble === undefined ? "" : `${module.preamble}\n`;
  const renamed = used.filter((symbol) => names.of(symbol) !== wantedName(symbol));
  const blocks = [imports, ...module.body.map((block) => layOut(localized(block, renamed, names)))];
  const text = blocks.filter((block) => block !== "").join("\n\n");
  // A file without imports and exports would be a script.
  return `${preamble}${text === "" ? "export {};" : text}\n`;
}

/** The specifier by which one module of the project imports another. What is no file of code is a package. */
export function relativeSpecifier(fromModule: string, toModule: string): string {
  if (!/\.[cm]?[jt]s$/.test(toModule)) return toModule;
  const path = posix.relative(posix.dirname(fromModule), toModule);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Gives each imported symbol a local name that nothing else in the module has. */
class LocalNames {
  readonly #taken: Set<string>;
  readonly #names = new Map<string, string>();

  constructor(declared: readonly string[]) {
    this.#taken = new Set(declared);
  }

  add(symbol: ImportedSymbol): void {
    let name = wantedName(symbol);
    while (this.#taken.has(name)) name += "_";
    this.#taken.add(name);
    this.#names.set(keyOf(symbol), name);
  }

  of(symbol: ImportedSymbol): string {
    return this.#names.get(keyOf(symbol)) ?? symbol.name;
  }
}

function imported(symbol: ImportedSymbol): Printable {
  return builders.label(symbol, wantedName(symbol));
}

function wantedName(symbol: ImportedSymbol): string {
  return symbol.alias ?? symbol.name;
}

/** The block with the local names of imported symbols; itself where it uses none that has another name here. */
function localized(block: Printable, renamed: readonly ImportedSymbol[], names: LocalNames): Printable {
  if (renamed.length === 0 || typeof block === "string") return block;
  const used = new Set(symbolsIn(block).map(keyOf));
  const here = renamed.filter((symbol) => used.has(keyOf(symbol)));
  if (here.length === 0) return block;
  const key = here.map((symbol) => `${keyOf(symbol)} ${names.of(symbol)}`).join(" ");
  return lastLocalized.of(block, key, () => withLocalNames(block, names));
}

const lastLocalized = createLastMemo<Exclude<Printable, string>, Printable>();

function withLocalNames(block: Printable, names: LocalNames): Printable {
  return utils.mapDoc(block, (doc) => {
    const symbol = symbolOf(doc);
    return symbol === undefined ? doc : names.of(symbol);
  });
}

function symbolOf(doc: Printable): ImportedSymbol | undefined {
  if (typeof doc === "string" || Array.isArray(doc) || doc.type !== "label") return undefined;
  const label: unknown = doc.label;
  return isImportedSymbol(label) ? label : undefined;
}

function isImportedSymbol(label: unknown): label is ImportedSymbol {
  return typeof label === "object" && label !== null && "from" in label && "typeOnly" in label;
}

/** Each symbol once, in the order of the import statements. A symbol used as a value anywhere is one. */
function symbolsOf(body: readonly Printable[]): readonly ImportedSymbol[] {
  const byKey = new Map<string, ImportedSymbol>();
  for (const symbol of body.flatMap(symbolsIn)) {
    const key = keyOf(symbol);
    if (byKey.get(key)?.typeOnly !== false) byKey.set(key, symbol);
  }
  return [...byKey.values()].toSorted((a, b) => compare(a.from, b.from) || compare(a.name, b.name));
}

/** Every symbol in a block, as often as it is there. */
function symbolsIn(block: Printable): readonly ImportedSymbol[] {
  return typeof block === "string" ? [] : symbolsOfBlock(block);
}

const symbolsOfBlock = oncePer((block: Exclude<Printable, string>): readonly ImportedSymbol[] => {
  const symbols: ImportedSymbol[] = [];
  utils.traverseDoc(block, (doc) => {
    const symbol = symbolOf(doc);
    if (symbol !== undefined) symbols.push(symbol);
  });
  return symbols;
});

function importStatements(
  { path, places = {} }: ModuleText,
  symbols: readonly ImportedSymbol[],
  localNames: LocalNames,
): readonly Printable[] {
  const modules = [...Map.groupBy(symbols, ({ from }) => relativeSpecifier(path, places[from] ?? from))];
  return modules
    .toSorted(([a], [b]) => compare(a, b))
    .map(([specifier, group]) => {
      const typesOnly = group.every((symbol) => symbol.typeOnly);
      const clauses = group.map((symbol) => {
        const alias = localNames.of(symbol);
        const clause = alias === symbol.name ? alias : `${symbol.name} as ${alias}`;
        return symbol.typeOnly && !typesOnly ? `type ${clause}` : clause;
      });
      const opening = typesOnly ? "import type " : "import ";
      // Prettier never breaks an import of one name.
      const names =
        clauses.length === 1 ? `{ ${clauses.join("")} }` : bracketed("{", "}", clauses, { padded: true });
      return [opening, names, " from ", stringLiteral(specifier), ";"];
    });
}

function keyOf(symbol: ImportedSymbol): string {
  return `${symbol.from}\n${symbol.name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
