/** Less than, equal to or greater than zero, as one revision is before, is or is after the other. */
export function compareRevisions(a: string, b: string): number {
  const right = b.split(".").map(Number);
  for (const [at, part] of a.split(".").map(Number).entries()) {
    const difference = part - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Whether something says that it is newer than a revision that already had something of its name: then it is another
 * thing. What said so before, too, is not.
 */
export function isNewerThan(
  since: string | undefined,
  before: string | undefined,
  revision: string,
): boolean {
  return since !== undefined && since !== before && compareRevisions(since, revision) > 0;
}
