export { echoed, inner, root, type Place, type ScanPlan, type Violation } from "./tokens.ts";
export { scanJson, type RefusedText } from "./scan.ts";
export { exactDecimal, scaledInteger, significantDigitsMax } from "./exact-decimal.ts";
