export { echoed, inner, root, type Place, type ScanPlan, type ScanRules } from "./scan-plan.ts";
export { scanJson, type RefusedText, type ScannedText } from "./scan.ts";
export type { Violation } from "./tokens.ts";
