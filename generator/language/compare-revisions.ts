/** Less than, equal to or greater than zero, as one revision is before, is or is after the other. */
export function compareRevisions(a: string, b: string): number {
  const right = b.split(".").map(Number);
  for (const [at, part] of a.split(".").map(Number).entries()) {
    const difference = part - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
