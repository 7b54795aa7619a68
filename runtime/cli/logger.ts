import { pino, type Logger } from "pino";

/** Members that are never printed, wherever they turn up. Nothing logs them on purpose; this is the second lock. */
const secretMembers = [
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
];

/** JSON lines on standard output. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: "[redacted]",
    },
  });
}
