import { diagnosticJson, type Diagnostic } from "../language/diagnostics/index.ts";
import { showDiagnostics } from "./show-diagnostics.ts";
import type { Terminal } from "./terminal.ts";

/** Why a command was not carried out. */
export interface CommandFailure {
  /** One line that sums up the diagnostics, or stands alone. */
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: number;
}

/** Says why a command was not carried out; answers the exit code. */
export function reportFailure(
  { message, diagnostics, exitCode }: CommandFailure,
  terminal: Terminal,
  asJson: boolean,
): number {
  if (asJson) {
    const failure = { ok: false, message, diagnostics: diagnostics.map(diagnosticJson) };
    terminal.print(JSON.stringify(failure, null, 2));
    return exitCode;
  }
  showDiagnostics(diagnostics, terminal);
  terminal.note(`error: ${message}`);
  return exitCode;
}
