export { diffModels, wholeInterface } from "./diff-models.ts";
export { rules } from "./catalogue/index.ts";
export { languageKeys, rulesOfKey, type KeyEffect } from "./language-keys.ts";
export type { Change, Impact } from "./change.ts";
export type { Rule } from "./rule.ts";
export * from "./severity.ts";
export { versionAdvice, type VersionAdvice } from "./version.ts";
export type { DiffReport, ReportedChange, Side, SpecDiff } from "./report/reported-diff.ts";
export { renderTerminal } from "./report/terminal.ts";
