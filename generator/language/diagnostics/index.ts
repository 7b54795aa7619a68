export type { Diagnostic, Severity } from "./diagnostic.ts";
export type { Result } from "./result.ts";
export { createReporter, diagnosticOf, type Code, type Reporter } from "./report.ts";
export { hasErrors, inReadingOrder } from "./order.ts";
export { renderDiagnostic, visible } from "./render.ts";
export { diagnosticJson } from "./json.ts";
export { allCodes, explain, renderExplanation, type Explanation } from "./explain.ts";
