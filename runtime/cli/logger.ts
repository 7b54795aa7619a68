import { pino, type Logger } from "pino";
import { logOutput, standardOutput } from "./log-output.ts";

/** Members that are never printed, wherever they turn up. Nothing logs them on purpose; this is the second lock. */
const secretMembers: ReadonlySet<string> = new Set([
  "apiKey",
  "credential",
  "authorization",
  "signature",
  "otp",
  "Otp",
  "OtpToken",
  "otpToken",
  "password",
  "totpSecret",
  "PublicKey",
  "publicKeyPem",
  "privateKeyPem",
  "secret",
  "identification",
  "payload",
  "body",
  "headers",
]);

/** JSON lines on standard output, written some 32 kB at a time: at the latest after 200 ms, and at exit. */
export function createLogger(level: string): Logger {
  const output = logOutput(standardOutput());
  process.on("exit", () => output.flushSync());
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields, 0) },
    },
    output,
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

const depthMax = 4;

/** The fields, a copy only where one is secret: pino's own redaction with wildcards costs more than a whole request. */
function withoutSecrets(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let cleaned = fields;
  for (const name in fields) {
    const value = fields[name];
    const clean = secretMembers.has(name) ? "[redacted]" : withoutNested(value, depth);
    if (clean === value) continue;
    if (cleaned === fields) cleaned = { ...fields };
    cleaned[name] = clean;
  }
  return cleaned;
}

function withoutNested(value: unknown, depth: number): unknown {
  return isPlain(value) && depth < depthMax ? withoutSecrets(value, depth + 1) : value;
}

/** Errors and the like are left to pino's serializers. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
