import { anchorsOf } from "../spec/patterns/pattern-anchors.ts";
/**
 * A pattern of JSON Schema as the spec language has it: valid with the `u` flag and anchored at both ends. Escapes that
 * the flag refuses and that mean the character itself are dropped.
 */
export function anchoredPattern(pattern: string): string {
  const plain = isValid(pattern) ? pattern : pattern.replaceAll(/\\([^A-Za-z0-9^$\\.*+?()[\]{}|/])/g, "$1");
  return withoutAmbiguity(anchored(plain));
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
