import { lineColumnAt, type LineColumn, type Span } from "../source/index.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

export type Severity = "error" | "warning" | "info";

/** One finding about a spec or about the files around it. `code` is a key of `codes`. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span?: Span;
  /** For findings about a file that is not a spec file (a handler, a generated file). */
  readonly path?: string;
  /** The remedy, such as `did you mean \`Beneficiary\`?`. */
  readonly hint?: string;
  /** Another place that has to do with it, such as the first of two definitions. */
  readonly related?: { readonly span: Span; readonly message: string };
}

/**
 * The result of every stage: a value, diagnostics that say why it is missing, or both (a value with warnings). A
 * thrown exception is a bug, never a mistake in a spec.
 */
export interface Result<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

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

/** A finding for programs. Lines and columns count from 1; columns are UTF-16 units; `end` is exclusive. */
export interface DiagnosticJson {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly path?: string;
  readonly start?: LineColumn;
  readonly end?: LineColumn;
  readonly hint?: string;
  readonly related?: PlaceJson & { readonly message: string };
}

interface PlaceJson {
  readonly path: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
}

export function diagnosticJson(diagnostic: Diagnostic): DiagnosticJson {
  const { code, severity, message, span, path, hint, related } = diagnostic;
  return omitUndefined({
    code,
    severity,
    message,
    path,
    ...(span === undefined ? {} : placeJson(span)),
    hint,
    related: related === undefined ? undefined : { ...placeJson(related.span), message: related.message },
  });
}

function placeJson({ source, start, end }: Span): PlaceJson {
  return { path: source.path, start: lineColumnAt(source, start), end: lineColumnAt(source, end) };
}
