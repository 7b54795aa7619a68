/**
 * Text that has not decided yet where its lines break. The layout algorithm is prettier's own, so that what is
 * printed here is already in prettier's style and formatting changes nothing.
 */
import { builders, printer } from "prettier/doc";
import { oncePer } from "../language/source/once-per.ts";

export type Printable = builders.Doc;

export const { align, fill, group, hardline, ifBreak, indent, line, softline } = builders;

/** Columns a line may have. */
export const widthMax = 110;

/** The items, one a line. */
export function lines(items: readonly Printable[]): Printable[] {
  return separated(hardline, items);
}

/** The items with an empty line between each two. */
export function paragraphs(items: readonly Printable[]): Printable[] {
  return separated([hardline, hardline], items);
}

/** The items with a separator between each two. */
export function separated(separator: Printable, items: readonly Printable[]): Printable[] {
  return builders.join(separator, [...items]);
}

/** Members between braces, one a line. */
export function braces(members: readonly Printable[]): Printable {
  return members.length === 0 ? "{}" : ["{", indent([hardline, lines(members)]), hardline, "}"];
}

/** The items between brackets, on one line if they fit, else one a line with a comma after each. */
export function bracketed(
  open: string,
  close: string,
  items: readonly Printable[],
  options: { readonly padded?: boolean; readonly trailingComma?: boolean; readonly broken?: boolean } = {},
): Printable {
  if (items.length === 0) return open + close;
  const edge = options.padded === true ? line : softline;
  const comma = options.trailingComma === false ? "" : ifBreak(",");
  return group([open, indent([edge, separated([",", line], items)]), comma, edge, close], {
    shouldBreak: options.broken === true,
  });
}

/** The final text. */
export function layOut(printable: Printable): string {
  return typeof printable === "string" ? freshlyLaidOut(printable) : laidOut(printable);
}

/** Printables do not change, so that each has one layout. */
const laidOut = oncePer<Exclude<Printable, string>, string>(freshlyLaidOut);

function freshlyLaidOut(printable: Printable): string {
  const options = { printWidth: widthMax, tabWidth: 2, useTabs: false };
  return printer.printDocToString(printable, options).formatted;
}
