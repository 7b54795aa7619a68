import { listed } from "../../diagnostics/entry.ts";
import type { Presence, Shape } from "../../model/index.ts";

/** A type as the spec writes it. */
export function typeText(shape: Shape): string {
  switch (shape.kind) {
    case "ref":
      return shape.type;
    case "array":
      return `array of ${typeText(shape.items)}`;
    case "string":
      return shape.format ?? "string";
    case "nullable":
      return `${typeText(shape.shape)}|null`;
    case "union":
      return shape.alternatives.map(typeText).join("|");
    case "tagged":
      return `oneOf ${shape.cases.map(({ tag }) => tag).join("|")}`;
    case "map":
      return `map of ${typeText(shape.values)}`;
    case "tuple":
      return `tuple of [${shape.items.map(typeText).join(", ")}]`;
    default:
      return shape.kind;
  }
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A value as JSON writes it, with keys in name order. */
export function literal(value: unknown): string {
  return value === undefined ? "none" : code(JSON.stringify(withSortedKeys(value)));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, held]) => [key, withSortedKeys(held)]));
}

/** A text in quotes; the reader should see where it ends. */
export function quoted(text: string): string {
  return text === "" ? "nothing" : `“${text}”`;
}

export function quotedList(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.map(quoted).join(", ");
}

export function codeList(names: readonly string[]): string {
  return names.length === 0 ? "none" : listed(names);
}

/** "when `express` is `true`". */
export function conditionText(presence: Presence): string {
  if (presence.kind !== "required-when") return presence.kind;
  return `when \`${presence.field}\` is ${listed(presence.values.map(String), "or")}`;
}
