export { diffModels, wholeInterface } from "./compare/diff-models.ts";
export { rules } from "./rules/index.ts";
export type { Change } from "./rules/change.ts";
export { isAbout, type DiffException } from "./report/exceptions.ts";
export {
  biggest,
  bumps,
  directions,
  isAtLeast,
  parties,
  severities,
  worst,
  type Bump,
  type Direction,
  type Party,
  type Rule,
  type Severity,
} from "./rules/rule.ts";
export { versionAdvice, type VersionAdvice } from "./report/version.ts";
export type { DiffReport, ReportedChange, Side, SpecDiff } from "./report/reported-diff.ts";
export { handlersToSee, type HandlerToSee } from "./report/handlers-to-see.ts";
export { renderTerminal } from "./report/terminal.ts";
export { renderMarkdown } from "./report/markdown.ts";
export { renderGithub } from "./report/github.ts";
export { diffJson } from "./report/json.ts";
export { sarif } from "./report/sarif.ts";
export { changelogText, renderChangelog } from "./report/changelog.ts";
export { renderMigration, type MigratedSpec } from "./migration/migration-note.ts";
export { explainRule, renderRuleExplanation, type RuleExplanation } from "./report/explain-rule.ts";
export { pairUp, type Pair } from "./compare/pair-up.ts";
export { pairValues } from "./compare/values/enums.ts";
export { pairFields } from "./compare/values/objects.ts";
export { pairTypes } from "./compare/types.ts";
