import type { Diagnostic } from "./diagnostic.ts";

/** In reading order, each finding once: by file, then place, then code. */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = diagnostics.toSorted(
    (a, b) =>
      compare(pathOf(a), pathOf(b)) ||
      (a.span?.start ?? 0) - (b.span?.start ?? 0) ||
      compare(a.code, b.code) ||
      compare(a.message, b.message),
  );
  return sorted.filter((diagnostic, at) => {
    const before = sorted[at - 1];
    return (
      before === undefined ||
      before.code !== diagnostic.code ||
      before.message !== diagnostic.message ||
      pathOf(before) !== pathOf(diagnostic) ||
      before.span?.start !== diagnostic.span?.start
    );
  });
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

function pathOf(diagnostic: Diagnostic): string {
  return diagnostic.span?.source.path ?? diagnostic.path ?? "";
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
