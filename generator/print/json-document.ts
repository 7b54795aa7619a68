import { bracketed, hardline, layOut, type Printable } from "./layout.ts";
import { listOf, numberLiteral } from "./literals.ts";

/** The text of a JSON file: members in the order given, on one line what fits there, a line break at the end. */
export function jsonDocument(value: unknown): string {
  return layOut([valueText(value, true), hardline]);
}

function valueText(value: unknown, broken = false): Printable {
  if (typeof value === "number") return numberLiteral(value);
  if (Array.isArray(value)) return listOf(value, (item) => valueText(item), false);
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [JSON.stringify(name), ": ", valueText(member)]);
    return bracketed("{", "}", members, { padded: true, trailingComma: false, broken });
  }
  return JSON.stringify(value);
}
