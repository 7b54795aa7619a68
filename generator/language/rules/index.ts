import { hasErrors, type Reporter } from "../diagnostics/index.ts";
import type { LoadedSpec } from "../references/scope.ts";
import { checkAlternatives } from "./alternatives.ts";
import { checkBigintPlaces } from "./bigint-places.ts";
import { checkConstraints } from "./constraints.ts";
import { ruleContext, type RuleContext } from "./context.ts";
import { checkEnums } from "./enums.ts";
import { checkErrors } from "./errors.ts";
import { checkEventMembers } from "./event-members.ts";
import { checkExamples } from "./examples.ts";
import { checkFields } from "./fields.ts";
import { checkFlatMethods } from "./flat-methods.ts";
import { checkForms } from "./forms.ts";
import { checkInfiniteTypes } from "./infinite-types.ts";
import { checkInterface } from "./interface.ts";
import { checkMergedForms } from "./merged-forms.ts";
import { checkMethodFields } from "./method-fields.ts";
import { checkMethods } from "./methods.ts";
import { checkPresence } from "./presence.ts";
import { checkReferences } from "./references.ts";
import { checkRenamings } from "./renamings.ts";
import { checkRevisions } from "./revisions.ts";
import { checkSamples } from "./samples.ts";
import { checkSizes } from "./sizes.ts";
import { checkStandardMethods } from "./standard-methods.ts";
import { checkSchemes } from "./schemes.ts";
import { checkSchemeUse, checkSecurity } from "./security.ts";
import { checkStandardTypes } from "./standard-types.ts";
import { checkStates } from "./states.ts";
import { checkTestMetadata } from "./test-metadata.ts";
import { checkTypeDepth } from "./type-depth.ts";
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
