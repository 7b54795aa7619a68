import { hasErrors, type Reporter } from "../diagnostics/index.ts";
import type { LoadedSpec } from "../references/scope.ts";
import { checkAlternatives, checkBigintPlaces, checkStandardTypes } from "./standard-types.ts";
import { checkConstraints, checkSamples } from "./constraints.ts";
import { ruleContext, type RuleContext } from "./context.ts";
import { checkEnums, checkFields, checkPresence, checkRenamings } from "./fields.ts";
import { checkErrors, checkEventMembers, checkStates } from "./declarations.ts";
import { checkExamples } from "./examples.ts";
import { checkFlatMethods, checkForms, checkMergedForms } from "./forms.ts";
import { checkInfiniteTypes, checkTypeDepth } from "./infinite-types.ts";
import { checkInterface, checkRevisions } from "./interface.ts";
import { checkMethodFields, checkMethods, checkStandardMethods } from "./methods.ts";
import { checkReferences } from "./references.ts";
import { checkSizes } from "./sizes.ts";
import { checkSchemeUse, checkSchemes, checkSecurity } from "./security.ts";
import { checkTestMetadata } from "./test-metadata.ts";
import { checkSections, checkUse } from "./unused-definitions.ts";

/** The rules that make a spec invalid. */
const rules: readonly ((context: RuleContext) => void)[] = [
  checkInterface,
  checkReferences,
  checkFields,
  checkPresence,
  checkEnums,
  checkConstraints,
  checkInfiniteTypes,
  checkMethods,
  checkSchemes,
  checkSecurity,
  checkMethodFields,
  checkForms,
  checkMergedForms,
  checkFlatMethods,
  checkStandardMethods,
  checkStandardTypes,
  checkBigintPlaces,
  checkErrors,
  checkEventMembers,
  checkStates,
  checkRenamings,
  checkRevisions,
  checkTestMetadata,
];

/** The rules that warn, once no rule has found an error: before, an error elsewhere may be the cause. */
const warnings: readonly ((context: RuleContext) => void)[] = [
  checkAlternatives,
  checkSamples,
  checkSections,
  checkUse,
  checkSchemeUse,
];

/** Checks everything that the schema cannot say. */
export function checkRules(loaded: LoadedSpec, reporter: Reporter): void {
  if (!checkTypeDepth(loaded.spec, loaded.scope, reporter.report)) return;
  const context = ruleContext(loaded, reporter);
  for (const rule of rules) rule(context);
  // No value can be checked against a type without an end.
  const hasValues = checkSizes(context) && !reporter.diagnostics.some(({ code }) => code === "infinite-type");
  if (hasValues) checkExamples(context);
  if (hasErrors(reporter.diagnostics)) return;
  for (const rule of warnings) rule(context);
}
