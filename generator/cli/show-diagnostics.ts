import { renderDiagnostic, type Diagnostic } from "../language/diagnostics/index.ts";
import type { Terminal } from "./terminal.ts";

/** Prints findings, each followed by an empty line. */
export function showDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  const color = terminal.color.isColorSupported;
  for (const diagnostic of diagnostics) terminal.note(`${renderDiagnostic(diagnostic, { color })}\n`);
}

/** `2 errors, 1 warning`; empty where there is neither. */
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
