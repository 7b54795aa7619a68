import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type { Code, Diagnostic, Severity } from "../language/diagnostics/index.ts";
import { sourceText, type SourceText, type Span } from "../language/source/index.ts";
import type { ProjectFolder } from "./folder.ts";

/** A finding as it is kept between runs: the source text stays in its file, which has not changed meanwhile. */
interface SavedDiagnostic extends Omit<Diagnostic, "span" | "related"> {
  readonly span?: SavedSpan;
  readonly related?: { readonly span: SavedSpan; readonly message: string };
}

interface SavedSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Said once, by the run that makes the change. */
const saidOnce: ReadonlySet<string> = new Set([
  "edited-file",
  "handler-import",
  "handler-moved",
  "orphan-imported",
] satisfies Code[]);

/** Those that the next run would find too. */
export function diagnosticsOfNextRun(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => !saidOnce.has(code));
}

export function savedDiagnostics(diagnostics: readonly Diagnostic[]): readonly SavedDiagnostic[] {
  return diagnostics.map(({ span, related, ...rest }) => ({
    ...rest,
    ...omitUndefined({
      span: span === undefined ? undefined : savedSpan(span),
      related: related === undefined ? undefined : { ...related, span: savedSpan(related.span) },
    }),
  }));
}

/** Undefined where this is not what `savedDiagnostics` gave. */
export function restoredDiagnostics(
  folder: ProjectFolder,
  saved: unknown,
): readonly Diagnostic[] | undefined {
  if (!Array.isArray(saved) || !saved.every(isSavedDiagnostic)) return undefined;
  const sources = new Map<string, SourceText>();
  const spanOf = ({ path, start, end }: SavedSpan): Span => {
    const source = sources.get(path) ?? sourceText(path, folder.read(path)?.toString() ?? "");
    sources.set(path, source);
    return { source, start, end };
  };
  return saved.map(({ span, related, ...rest }) => ({
    ...rest,
    ...omitUndefined({
      span: span === undefined ? undefined : spanOf(span),
      related: related === undefined ? undefined : { ...related, span: spanOf(related.span) },
    }),
  }));
}

function savedSpan({ source, start, end }: Span): SavedSpan {
  return { path: source.path, start, end };
}

function isSavedDiagnostic(value: unknown): value is SavedDiagnostic {
  if (!isRecord(value)) return false;
  const { code, severity, message, span, related } = value;
  if (typeof code !== "string" || typeof message !== "string" || !isSeverity(severity)) return false;
  if (span !== undefined && !isSavedSpan(span)) return false;
  return related === undefined || (isRecord(related) && isSavedSpan(related["span"]));
}

function isSavedSpan(value: unknown): value is SavedSpan {
  if (!isRecord(value)) return false;
  const { path, start, end } = value;
  return typeof path === "string" && typeof start === "number" && typeof end === "number";
}

function isSeverity(value: unknown): value is Severity {
  return value === "error" || value === "warning" || value === "info";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
