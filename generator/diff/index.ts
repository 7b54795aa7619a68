export { diffModels, wholeInterface } from "./compare/diff-models.ts";
export { rules } from "./rules/index.ts";
export type { Change } from "./rules/change.ts";
export { bumps, isAtLeast, parties, worst, type Rule, type Severity } from "./rules/rule.ts";
export {
  isAbout,
  versionAdvice,
  type DiffException,
  type DiffReport,
  type ReportedChange,
  type SpecDiff,
} from "./report/reported-diff.ts";
export { handlersToSee } from "./report/handlers-to-see.ts";
export { renderTerminal } from "./report/terminal.ts";
export { diffJson } from "./report/json.ts";
export { renderGithub, sarif } from "./report/annotations.ts";
export { changelogText, renderChangelog, renderMarkdown } from "./report/markdown.ts";
export { renderMigration, type MigratedSpec } from "./migration/migration-note.ts";
export { explainRule, renderRuleExplanation, type RuleExplanation } from "./report/explain-rule.ts";
export { pairUp, type Pair } from "./compare/pair-up.ts";
export { pairValues } from "./compare/values/enums.ts";
export { pairFields } from "./compare/values/objects.ts";
export { pairTypes } from "./compare/types.ts";
