/** How JSON may be written: all of these are the same value. */
export type TextStyle = "canonical" | "spaced" | "reversed" | "escaped";

/** RFC 8785 (JCS): members in the order of UTF-16 code units, no blanks. Every other way to get at the bytes agrees. */
export function canonicalText(value: unknown): string {
  return print(value, { keys: (keys) => keys.toSorted(byCodeUnits), gap: "", text: JSON.stringify });
}

/** A value written in one of the styles. */
export function jsonText(value: unknown, style: TextStyle): string {
  switch (style) {
    case "canonical":
      return canonicalText(value);
    case "spaced":
      return print(value, { keys: (keys) => keys, gap: " ", text: JSON.stringify });
    case "reversed":
      return print(value, {
        keys: (keys) => keys.toSorted(byCodeUnits).toReversed(),
        gap: "\n\t",
        text: JSON.stringify,
      });
    case "escaped":
      return print(value, { keys: (keys) => keys.toSorted(byCodeUnits), gap: "", text: escapedText });
  }
}

interface Style {
  keys(names: readonly string[]): readonly string[];
  readonly gap: string;
  text(value: string): string;
}

function print(value: unknown, style: Style): string {
  const { gap } = style;
  if (Array.isArray(value)) return `[${value.map((item) => gap + print(item, style)).join(",")}${gap}]`;
  if (typeof value === "object" && value !== null) {
    const own = new Map<string, unknown>(Object.entries(value));
    const members = style
      .keys([...own.keys()])
      .map((name) => `${gap}${JSON.stringify(name)}${gap}:${gap}${print(own.get(name), style)}`);
    return `{${members.join(",")}${gap}}`;
  }
  return typeof value === "string" ? style.text(value) : JSON.stringify(value);
}

/** The first letter or digit written as an escape. */
function escapedText(value: string): string {
  return JSON.stringify(value).replace(
    /[A-Za-z0-9]/,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
