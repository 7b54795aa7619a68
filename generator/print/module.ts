import { posix } from "node:path";
import { layOut, symbolsIn, type ImportedSymbol, type Printable } from "./layout.ts";
import { stringLiteral } from "./literals.ts";

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
  return { kind: "symbol", name, from, typeOnly: true, alias: name };
}

/** A value of another module, under a local name of its own where `alias` says so. */
export function importedValue(name: string, from: string, alias = name): Printable {
  return { kind: "symbol", name, from, typeOnly: false, alias };
}

/** The module's text, with exactly the imports that its body uses. */
export function printModule(module: ModuleText): string {
  const names = new LocalNames(module.declares);
  const used = symbolsOf(module.body);
  for (const symbol of used) names.add(symbol);
  const imports = importStatements(module, used, names).join("\n");
  const preamble = module.preamble === undefined ? "" : `${module.preamble}\n`;
  const nameOf = (symbol: ImportedSymbol): string => names.of(symbol);
  const blocks = [imports, ...module.body.map((block) => layOut(block, nameOf))];
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
    let name = symbol.alias;
    while (this.#taken.has(name)) name += "_";
    this.#taken.add(name);
    this.#names.set(keyOf(symbol), name);
  }

  of(symbol: ImportedSymbol): string {
    return this.#names.get(keyOf(symbol)) ?? symbol.name;
  }
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

function importStatements(
  { path, places = {} }: ModuleText,
  symbols: readonly ImportedSymbol[],
  localNames: LocalNames,
): readonly string[] {
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
      return `${opening}{ ${clauses.join(", ")} } from ${stringLiteral(specifier)};`;
    });
}

function keyOf(symbol: ImportedSymbol): string {
  return `${symbol.from}\n${symbol.name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
