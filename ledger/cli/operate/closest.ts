/** The hint for a misspelt name: what it most likely means, or all that there is. */
export function hintFor(name: string, known: readonly string[]): string {
  const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const [best] = known
    .map((candidate) => ({
      candidate,
      mistakes: mistakesBetween(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ mistakes }) => mistakes <= limit)
    .toSorted((a, b) => a.mistakes - b.mistakes);
  return best === undefined ? `there is ${known.join(", ") || "none"}` : `did you mean ${best.candidate}?`;
}

/** Letters to insert, remove or replace. */
function mistakesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? a.length;
}
