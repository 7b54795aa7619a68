/**
 * The candidate that a misspelt name most likely means: the fewest typing mistakes away, upper and lower case being
 * a small one. Undefined where none is close. Of equally close ones the first by name, so that messages are stable.
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = distanceBetween(name, candidate, limit);
    if (distance > limit) continue;
    const isCloser = best === undefined || distance < best.distance;
    if (isCloser || (distance === best?.distance && candidate < best.candidate))
      best = { candidate, distance };
  }
  return best?.candidate;
}

/** The hint for a misspelt name: the closest candidate, or all of them. */
export function hintFor(name: string, candidates: readonly string[]): string {
  const suggestion = closest(name, candidates);
  return suggestion === undefined
    ? `there is ${candidates.join(", ") || "none"}`
    : `did you mean ${suggestion}?`;
}

/** The end of a message about a misspelt name; empty where no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const suggestion = closest(name, candidates);
  return suggestion === undefined ? "" : `; did you mean ${suggestion}?`;
}

function distanceBetween(a: string, b: string, limit: number): number {
  if (a.toLowerCase() === b.toLowerCase()) return 0.5;
  return editDistance(a.toLowerCase(), b.toLowerCase(), limit);
}

/** Insertions, deletions, replacements and swaps of neighbours; more than `limit` is not counted out. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          cell(row, j - 1) + 1,
          cell(last, j) + 1,
          cell(last, j - 1) + (same ? 0 : 1),
          swapped ? cell(beforeLast, j - 2) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...row) > limit) return Infinity;
    beforeLast = last;
    last = row;
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], at: number): number {
  return row[at] ?? Infinity;
}
