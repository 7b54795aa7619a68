import { bracketed, type Printable } from "./layout.ts";

/** A string literal in the quotes that need fewer escapes. */
export function stringLiteral(text: string): string {
  const double = JSON.stringify(text).replace(
    /[\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
  if (count(text, '"') <= count(text, "'")) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A property's name in a type or an object literal: quoted only where it has to be. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : stringLiteral(name);
}

/** Reads a property: `errors.BAD_INPUT` or `errors["bad-input"]`. */
export function propertyOf(object: Printable, name: string): Printable {
  const printed = propertyName(name);
  return printed === name ? [object, ".", name] : [object, "[", printed, "]"];
}

/** A member of an object literal; none where there is no value. */
export function member(name: string, value: Printable | undefined): Printable | undefined {
  if (value === undefined) return undefined;
  return [memberName(name), ": ", value];
}

/** A plain `__proto__: x` would set the prototype. */
export function memberName(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : propertyName(name);
}

/** An object literal. `broken` asks for one member a line; otherwise it takes one line if it fits. */
export function objectLiteral(
  members: readonly (Printable | undefined)[],
  { broken = false }: { readonly broken?: boolean } = {},
): Printable {
  return bracketed(
    "{",
    "}",
    members.filter((item) => item !== undefined),
    broken,
  );
}

/** An array literal. */
export function arrayLiteral(items: readonly Printable[]): Printable {
  return bracketed("[", "]", items);
}

/** Any JSON value, or one with bigints, as an expression. */
export function jsonLiteral(value: unknown): string {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value === "number") return numberLiteral(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(jsonLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, item]) => `${memberName(name)}: ${jsonLiteral(item)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return JSON.stringify(value);
}

/** The text of a JSON document. The formatter leaves its members on lines of their own. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value).replace(/^\{(?!\})/, "{\n")}\n`;
}

/** A number as prettier writes it: `1e21`, never `1e+21`. */
function numberLiteral(value: number): string {
  return JSON.stringify(value).replace("e+", "e");
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
