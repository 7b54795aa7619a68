import { lineColumnAt, type Span } from "../source/index.ts";
import type { Diagnostic, Severity } from "./diagnostic.ts";
import { markedLine } from "./source-line.ts";
import { createColors, type Colors } from "./colors.ts";

/**
 * A finding for people: `file:line:column severity code: message`, the source line with carets under the exact place,
 * and the hint. Several lines, without a line break at the end.
 */
export function renderDiagnostic(diagnostic: Diagnostic, options: { readonly color?: boolean } = {}): string {
  const colors = createColors(options.color ?? false);
  const { span, severity, code, message, hint, related } = diagnostic;
  const paint = painter(colors, severity);
  const place = placeOf(diagnostic);
  const head = `${paint(severity)} ${colors.bold(code)}: ${visible(message)}`;
  const lines = [place === undefined ? head : `${colors.bold(place)} ${head}`];
  if (span !== undefined) lines.push(...sourceLines(span, colors, paint));
  if (related !== undefined) {
    lines.push(`${colors.bold(positionOf(related.span))} ${colors.cyan("note")}: ${related.message}`);
    lines.push(...sourceLines(related.span, colors, colors.cyan));
  }
  if (hint !== undefined) lines.push(`${colors.cyan("hint")}: ${visible(hint)}`);
  return lines.join("\n");
}

/** Text of a spec cannot steer the terminal, break the line or turn its direction. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code === 9 ? "\\t" : code === 10 ? "\\n" : `\\u{${code.toString(16)}}`;
  });
}

/** `spec/ledger/methods/account.yaml:41:7`, or the file alone. */
function placeOf({ span, path }: Diagnostic): string | undefined {
  return span === undefined ? path : positionOf(span);
}

function positionOf({ source, start }: Span): string {
  const { line, column } = lineColumnAt(source, start);
  return `${source.path}:${line}:${column}`;
}

function painter(colors: Colors, severity: Severity) {
  if (severity === "error") return colors.red;
  return severity === "warning" ? colors.yellow : colors.blue;
}

/** Nothing where the file has no text to show. */
function sourceLines(span: Span, colors: Colors, paint: (text: string) => string): readonly string[] {
  const { text, carets } = markedLine(span);
  if (text.trim() === "") return [];
  const gutter = String(lineColumnAt(span.source, span.start).line);
  const bar = colors.dim(`${" ".repeat(gutter.length)} |`);
  return [`  ${colors.dim(`${gutter} |`)} ${text}`, `  ${bar} ${paint(carets)}`];
}
