/** Columns a line may have. */
export const widthMax = 110;

/**
 * Code in parts. It says which tokens and comments follow each other, and which lists have a line for each item; the
 * formatter lays out the rest.
 */
export type Printable = string | ImportedSymbol | Comment | Deeper | readonly Printable[];

/** A name that another module exports. Printing it is what imports it. */
export interface ImportedSymbol {
  readonly kind: "symbol";
  readonly name: string;
  /** Path of the module, relative to the project's root; or a word that `ModuleText.places` has the path of. */
  readonly from: string;
  /** Whether it exists only for the type checker. */
  readonly typeOnly: boolean;
  /** The local name it should have. */
  readonly alias: string;
}

/** A comment, which the formatter leaves as it is, so it has to know how wide its lines may be. */
export interface Comment {
  readonly kind: "comment";
  textWithin(columns: number): string;
}

/** What the formatter indents. */
interface Deeper {
  readonly kind: "deeper";
  readonly content: Printable;
}

/** The items, one a line. */
export function lines(items: readonly Printable[]): readonly Printable[] {
  return separated("\n", items);
}

/** The items with an empty line between each two. */
export function paragraphs(items: readonly Printable[]): readonly Printable[] {
  return separated("\n\n", items);
}

/** The items with a separator between each two. */
export function separated(separator: string, items: readonly Printable[]): readonly Printable[] {
  return items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]));
}

/** What a line break in the formatted text may indent. */
export function deeper(...content: readonly Printable[]): Printable {
  return { kind: "deeper", content };
}

/** Members between braces, one a line. */
export function braces(members: readonly Printable[]): Printable {
  return members.length === 0 ? "{}" : ["{\n", deeper(lines(members)), "\n}"];
}

/** The items between brackets; a `broken` object has a line for each. */
export function bracketed(
  open: string,
  close: string,
  items: readonly Printable[],
  isBroken = false,
): Printable {
  if (items.length === 0) return open + close;
  const padding = open === "{" ? " " : "";
  const edge = isBroken ? "\n" : padding;
  return [open + edge, deeper(separated(isBroken ? ",\n" : ", ", items)), edge + close];
}

/** The text of code, before it is formatted. `nameOf` gives the local names of symbols. */
export function layOut(printable: Printable, nameOf = ({ alias }: ImportedSymbol): string => alias): string {
  const parts: string[] = [];
  const add = (part: Printable, columns: number): void => {
    if (typeof part === "string") parts.push(part);
    else if (isList(part)) for (const each of part) add(each, columns);
    else if (part.kind === "symbol") parts.push(nameOf(part));
    else if (part.kind === "deeper") add(part.content, columns - 2);
    else parts.push(part.textWithin(columns));
  };
  add(printable, widthMax);
  return parts.join("");
}

/** Every symbol in the code, as often as it is there. */
export function symbolsIn(printable: Printable): readonly ImportedSymbol[] {
  const symbols: ImportedSymbol[] = [];
  const visit = (part: Printable): void => {
    if (typeof part === "string") return;
    if (isList(part)) part.forEach(visit);
    else if (part.kind === "symbol") symbols.push(part);
    else if (part.kind === "deeper") visit(part.content);
  };
  visit(printable);
  return symbols;
}

function isList(part: Exclude<Printable, string>): part is readonly Printable[] {
  return Array.isArray(part);
}
