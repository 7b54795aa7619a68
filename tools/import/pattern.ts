import { anchorsOf } from "../../generator/language/patterns/pattern-anchors.ts";

/** A pattern of JSON Schema as the spec language has it: valid with the `u` flag and anchored at both ends. */
export function anchoredPattern(pattern: string): string {
  return withoutAmbiguity(anchored(isValid(pattern) ? pattern : withUnicodeFlag(pattern)));
}

/**
 * The same set of strings with the `u` flag, which refuses needless escapes, unescaped braces and brackets, and
 * hyphens beside `\w` in a class. An escaped hyphen of a class stays: without its escape it is a range.
 */
function withUnicodeFlag(pattern: string): string {
  let inClass = false;
  let previous = "";
  const token = /\\[^]|\{\d+(?:,\d*)?\}|[^]/g;
  return pattern.replaceAll(token, (part, at: number) => {
    const before = previous;
    previous = part;
    if (part.length > 1) return escaped(part, inClass);
    if (!inClass) {
      inClass = part === "[";
      return /[{}\]]/.test(part) ? `\\${part}` : part;
    }
    inClass = part !== "]";
    const isBesideSet = isSet(before) || isSet(pattern.slice(at + 1, at + 3));
    return part === "-" && isBesideSet && pattern[at + 1] !== "]" ? "\\-" : part;
  });
}

function isSet(part: string): boolean {
  return /^\\[wWdDsS]$/.test(part);
}

function escaped(part: string, inClass: boolean): string {
  const isNeeded = /^\\[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(part) || (inClass && part === "\\-");
  return isNeeded || !part.startsWith("\\") ? part : part.slice(1);
}

/** `[1-9a-f]+[0-9a-f]*`, which takes quadratic time, takes the same texts as `[1-9a-f][0-9a-f]*`, which does not. */
function withoutAmbiguity(pattern: string): string {
  return pattern.replaceAll(/(\[[^\]\\^]+\])\+(\[[^\]\\^]+\])\*/g, (whole, first: string, second: string) =>
    isWithin(first, second) ? `${first}${second}*` : whole,
  );
}

/** Whether all printable ASCII characters of one class are in the other. */
function isWithin(first: string, second: string): boolean {
  const [inner, outer] = [new RegExp(first, "u"), new RegExp(second, "u")];
  const characters = Array.from({ length: 0x7f }, (_, code) => String.fromCodePoint(code));
  return (
    /^[ -~]*$/.test(first) && characters.every((character) => !inner.test(character) || outer.test(character))
  );
}

function anchored(plain: string): string {
  const { hasTopAlternative, startsAnchored, endsAnchored } = anchorsOf(plain);
  if (!hasTopAlternative && startsAnchored && endsAnchored) return plain;
  if (!hasTopAlternative && startsAnchored) return `${plain}[^]*$`;
  if (!hasTopAlternative && endsAnchored) return `^[^]*${plain}`;
  return `^[^]*(?:${plain})[^]*$`;
}

function isValid(pattern: string): boolean {
  try {
    RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
