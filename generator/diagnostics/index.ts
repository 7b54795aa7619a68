export type { Diagnostic, Severity } from "./diagnostic.ts";
export type { Result } from "./result.ts";
export { createReporter, diagnosticOf, type Code, type MessageParams, type Reporter } from "./report.ts";
export { hasErrors, inReadingOrder } from "./order.ts";
