import type { Diagnostic, Severity } from "../diagnostics/index.ts";
import { lineColumnAt, lineTextAt, type Span } from "../source/index.ts";
import type { Terminal } from "./terminal.ts";

/** A finding as people read it: place, severity, code, message; the line with a caret; the hint. */
export function diagnosticText(diagnostic: Diagnostic, color: Terminal["color"]): string {
  const { code, severity, message, span, path, hint, related } = diagnostic;
  const where = span === undefined ? path : placeOf(span);
  const paint = { error: color.red, warning: color.yellow, info: color.cyan }[severity];
  const head = `${where === undefined ? "" : `${color.bold(where)} `}${paint(severity)} ${code}: ${message}`;
  return [
    head,
    ...(span === undefined ? [] : excerpt(span, paint)),
    ...(related === undefined ? [] : [`  ${placeOf(related.span)} ${related.message}`]),
    ...(hint === undefined ? [] : [`  ${color.green("hint:")} ${hint}`]),
  ].join("\n");
}

/** `2 errors, 1 warning`; empty where there is nothing. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning"] as const).map((severity) => ({
    severity,
    count: diagnostics.filter((diagnostic) => diagnostic.severity === severity).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? "" : "s"}`)
    .join(", ");
}

/** A finding for machines. Lines and columns count from 1. */
export function diagnosticJson({ code, severity, message, span, path, hint }: Diagnostic): DiagnosticJson {
  const place = span === undefined ? undefined : lineColumnAt(span.source, span.start);
  const file = span?.source.path ?? path;
  return {
    code,
    severity,
    message,
    ...(file === undefined ? {} : { path: file }),
    ...place,
    ...(hint === undefined ? {} : { hint }),
  };
}

export interface DiagnosticJson {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

function placeOf(span: Span): string {
  const { line, column } = lineColumnAt(span.source, span.start);
  return `${span.source.path}:${line}:${column}`;
}

function excerpt(span: Span, paint: (text: string) => string): readonly string[] {
  const { line, column } = lineColumnAt(span.source, span.start);
  const text = lineTextAt(span.source, span.start);
  const gutter = `  ${line} | `;
  const width = Math.max(1, Math.min(span.end - span.start, text.length - column + 1));
  const before = text.slice(0, column - 1).replace(/[^\t]/g, " ");
  return [`${gutter}${text}`, `${" ".repeat(gutter.length - 2)}| ${before}${paint("^".repeat(width))}`];
}
