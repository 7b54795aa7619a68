export { echoed, inner, root, type Place, type ScanPlan, type ScanRules, type Violation } from "./tokens.ts";
export { scanJson, type RefusedText, type ScannedText } from "./scan.ts";
export { exactDecimal, scaledInteger, significantDigitsMax } from "./exact-decimal.ts";
