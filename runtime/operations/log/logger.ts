import { type Logger, pino, type SerializedError } from "pino";
import { logOutput, standardOutput } from "./log-output.ts";
import { terminalText } from "./terminal-text.ts";
import type { InterfaceDescriptor, ObjectShape } from "../../contract/index.ts";
import { withoutUrlSecrets } from "../../platform/url-secrets.ts";

/** The interfaces whose specs say which fields are sensitive. */
interface Logged {
  readonly interfaces: readonly {
    readonly descriptor: InterfaceDescriptor;
  }[];
}

/**
 * JSON lines on standard output, which `tail` may show on a terminal. They are written some 32 kB at a time: at the
 * latest after 200 ms, and at exit.
 */
export function createLogger(application: Logged, level: string): Logger {
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

/** Members of no interface, and names for many. Those that the specs call sensitive are never printed, either. */
const alwaysSecret = [
  "authorization",
  "signature",
  "otp",
  "otpToken",
  "password",
  "totpSecret",
  "publicKeyPem",
  "privateKeyPem",
  "identification",
  "payload",
  "body",
  "headers",
];

const depthMax = 4;

type Fields = Record<string, unknown>;

/**
 * Makes a function that gives fields without secrets: a copy only where one is secret, wherever it turns up. Nothing logs
 * them on purpose; this is the second lock. Pino's own redaction with wildcards costs more than a whole request.
 */
export function withoutSecretsOf({ interfaces }: Logged): (fields: Fields) => Fields {
  const secret = new Set([...alwaysSecret, ...sensitiveMembers(interfaces)]);
  const cleanedAt = (fields: Fields, depth: number): Fields => {
    let cleaned = fields;
    for (const name in fields) {
      const value = fields[name];
      const clean = secret.has(name) ? "[redacted]" : cleanedValue(value, depth);
      if (clean === value) continue;
      if (cleaned === fields) cleaned = { ...fields };
      cleaned[name] = clean;
    }
    return cleaned;
  };
  const cleanedValue = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return withoutUrlSecrets(value);
    return isPlain(value) && depth < depthMax ? cleanedAt(value, depth + 1) : value;
  };
  return (fields) => cleanedAt(fields, 0);
}

/** An error as it is logged: its texts are those of libraries, which repeat addresses. */
export function withoutUrlSecretsIn(error: SerializedError): SerializedError {
  for (const [name, value] of Object.entries({ ...error, message: error.message, stack: error.stack }))
    if (typeof value === "string") Object.assign(error, { [name]: withoutUrlSecrets(value) });
  return error;
}

/** Errors and the like are left to pino's serializers. */
function isPlain(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The names of the fields that the specs of the interfaces call sensitive. */
function sensitiveMembers(interfaces: Logged["interfaces"]): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<ObjectShape>();
  const visit = (shape: ObjectShape): void => {
    if (seen.has(shape)) return;
    seen.add(shape);
    for (const { name, spellings = [], alsoSentAs = name, sensitive, shape: inner } of shape.fields) {
      if (sensitive) for (const each of [name, alsoSentAs, ...spellings]) names.add(each);
      if (inner !== undefined) visit(inner());
    }
  };
  for (const { descriptor } of interfaces)
    for (const { payload, result } of Object.values(descriptor.methods)) {
      visit(payload);
      visit(result);
    }
  return names;
}
