export type { Diagnostic, Severity } from "./diagnostic.ts";
export type { Result } from "./result.ts";
export { createReporter, diagnosticOf, type Code, type MessageParams, type Reporter } from "./report.ts";
export { hasErrors, inReadingOrder } from "./order.ts";
export { renderDiagnostic } from "./render.ts";
export { diagnosticJson, type DiagnosticJson } from "./json.ts";
export { allCodes, explain, renderExplanation, type Explanation } from "./explain.ts";
