import { lineColumnAt, type LineColumn, type Span } from "../source/index.ts";
import type { Diagnostic, Severity } from "./diagnostic.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

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
