import { pino, type Logger } from "pino";
import { logOutput, standardOutput } from "./log-output.ts";
import type { Application } from "../server/index.ts";
import { terminalText } from "./terminal-text.ts";
import { withoutSecretsOf, withoutUrlSecretsIn } from "./without-secrets.ts";

/** JSON lines on standard output, which `tail` may show on a terminal, written some 32 kB at a time: at the latest after 200 ms, and at exit. */
export function createLogger(application: Application, level: string): Logger {
  const output = logOutput(standardOutput());
  process.on("exit", () => output.end());
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      serializers: { err: (error: Error) => withoutUrlSecretsIn(pino.stdSerializers.err(error)) },
      formatters: { level: (label) => ({ level: label }), log: withoutSecretsOf(application) },
    },
    { write: (line: string) => output.write(terminalText(line)) },
  );
}

/** The time as a member of a line; printed anew once a millisecond. */
function createTimestamp(): () => string {
  let printedMs = 0;
  let printed = "";
  return () => {
    const nowMs = Date.now();
    if (nowMs !== printedMs) {
      printedMs = nowMs;
      printed = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return printed;
  };
}
