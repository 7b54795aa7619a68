import {
  bracketed,
  fill,
  group,
  ifBreak,
  indent,
  line,
  separated,
  softline,
  type Printable,
} from "./layout.ts";

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
  const printed = memberName(name);
  const breaksAfterColon = typeof value === "string" && /^["']/.test(value) && printed.length > 4;
  return breaksAfterColon
    ? group([printed, ":", group(indent([line, value]))])
    : group([printed, ": ", value]);
}

/** A plain `__proto__: x` would set the prototype. */
export function memberName(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : propertyName(name);
}

/** An object literal, on one line if it fits. `broken` asks for one member a line. */
export function objectLiteral(
  members: readonly (Printable | undefined)[],
  options: { readonly broken?: boolean } = {},
): Printable {
  const present = members.filter((item) => item !== undefined);
  return bracketed("{", "}", present, { padded: true, ...options });
}

/** An array literal, on one line if it fits. */
export function arrayLiteral(
  items: readonly Printable[],
  options: { readonly broken?: boolean } = {},
): Printable {
  return bracketed("[", "]", items, options);
}

/** Any JSON value as an expression. */
export function jsonLiteral(value: unknown): Printable {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value === "number") return numberLiteral(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return listOf(value);
  if (typeof value === "object" && value !== null) {
    return objectLiteral(Object.entries(value).map(([name, item]) => member(name, jsonLiteral(item))));
  }
  return JSON.stringify(value);
}

/** Any JSON value as an expression on one line, for values too large to lay out twice: formatting breaks it. */
export function flatLiteral(value: unknown): string {
  if (typeof value === "string") return stringLiteral(value);
  if (Array.isArray(value)) return `[${value.map(flatLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, item]) => `${memberName(name)}: ${flatLiteral(item)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return typeof value === "number" ? numberLiteral(value) : JSON.stringify(value);
}

/** A number as prettier writes it: `1e21`, never `1e+21`. */
function numberLiteral(value: number): string {
  return JSON.stringify(value).replace("e+", "e");
}

/** A list between brackets as prettier breaks it: numbers side by side, tables row by row, others one a line. */
function listOf(items: readonly unknown[]): Printable {
  if (items.length > 1 && items.every((item) => typeof item === "number")) {
    const parts = items.map((item, index) => [numberLiteral(item), index < items.length - 1 ? "," : ""]);
    return group(["[", indent([softline, fill(separated(line, parts))]), ifBreak(","), softline, "]"]);
  }
  return bracketed("[", "]", items.map(jsonLiteral), { broken: isTable(items) });
}

/** Prettier gives a line of its own to each item of a list of objects, or of lists, that hold several things each. */
function isTable(items: readonly unknown[]): boolean {
  if (items.length < 2) return false;
  return items.every((item) => Array.isArray(item) && item.length > 1) || items.every(hasManyMembers);
}

function hasManyMembers(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 1
  );
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
