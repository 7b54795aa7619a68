import { authenticationRules, securityRules } from "./authentication.ts";
import { errorRules, methodErrorRules } from "./errors.ts";
import { eventRules } from "./events.ts";
import { fieldFamilies, groupFamilies, presenceFamilies } from "./fields.ts";
import { interfaceRules, wireRules } from "./interface.ts";
import { nameRules } from "./names.ts";
import { flatBodyRules, formRules, operationRules } from "./operations.ts";
import type { Rule } from "./rule.ts";
import { normativeRules, stateRules } from "./states.ts";
import { testMetadataRules } from "./test-metadata.ts";
import { textRules } from "./texts.ts";
import { constraintFamilies, valueFamilies } from "./values.ts";

const families = new Map([
  ...fieldFamilies,
  ...presenceFamilies,
  ...groupFamilies,
  ...valueFamilies,
  ...constraintFamilies,
]);

const single = new Map([
  ...interfaceRules,
  ...wireRules,
  ...authenticationRules,
  ...securityRules,
  ...operationRules,
  ...flatBodyRules,
  ...formRules,
  ...nameRules,
  ...errorRules,
  ...methodErrorRules,
  ...eventRules,
  ...stateRules,
  ...normativeRules,
  ...testMetadataRules,
  ...textRules,
]);

type IdOf<Table> = Table extends ReadonlyMap<infer Id, unknown> ? Id : never;

/** The name of a kind of change that has a rule for each direction. */
export type FamilyName = IdOf<typeof families>;

/** The id of a rule that has no direction. */
export type SingleRuleId = IdOf<typeof single>;

/** Every rule by its id, in the order in which people think of them. */
export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...[...single].filter(([, { area }]) => area !== "texts"),
  ...[...families.values()].flatMap((directional) => [...directional]),
  ...[...single].filter(([, { area }]) => area === "texts"),
]);

/** The rule of an id that is known to be one. */
export function ruleOf(id: string): Rule {
  const rule = rules.get(id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return rule;
}
