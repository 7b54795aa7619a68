export {
  diagnosticJson,
  hasErrors,
  inReadingOrder,
  type Diagnostic,
  type Result,
  type Severity,
} from "./diagnostic.ts";
export { createReporter, diagnosticOf, type Code, type Reporter } from "./report.ts";
export { renderDiagnostic, visible } from "./render.ts";
export { allCodes, explain, renderExplanation, type Explanation } from "./explain.ts";
