export { echoed, inner, root, type Place, type Protocol, type ScanRules } from "./protocol.ts";
export { scanJson, type RefusedText, type ScannedText } from "./scan.ts";
export type { Violation } from "./tokens.ts";
