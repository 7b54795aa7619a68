/** Orders what has a section and a name: sections naturally (4.2 before 4.12, none last), then names. */
export function bySectionThen<T>(nameOf: (item: T) => string) {
  return (a: T & { readonly section?: string }, b: T & { readonly section?: string }): number =>
    compareSections(a.section, b.section) || compareNames(nameOf(a), nameOf(b));
}

/** By UTF-16 code units: the same on every machine, whatever its language. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareSections(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  const left = a.split(".");
  const right = b.split(".");
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = compareParts(left[at] ?? "", right[at] ?? "");
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareParts(a: string, b: string): number {
  const numbers = Number(a) - Number(b);
  return Number.isNaN(numbers) || numbers === 0 ? compareNames(a, b) : numbers;
}

/** Less than, equal to or greater than zero, as one revision is before, is or is after the other. */
export function compareRevisions(a: string, b: string): number {
  const right = b.split(".").map(Number);
  for (const [at, part] of a.split(".").map(Number).entries()) {
    const difference = part - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
