import type { Family, Rule } from "../model/rule.ts";
import { authenticationRules } from "./authentication.ts";
import { constraintFamilies } from "./constraints.ts";
import { rulesOfFamily } from "./directional.ts";
import { errorRules } from "./errors.ts";
import { eventRules } from "./events.ts";
import { fieldFamilies } from "./fields.ts";
import { flatBodyRules } from "./flat-bodies.ts";
import { formRules } from "./forms.ts";
import { groupFamilies } from "./groups.ts";
import { interfaceRules } from "./interface.ts";
import { methodErrorRules } from "./method-errors.ts";
import { nameRules } from "./names.ts";
import { operationRules } from "./operations.ts";
import { presenceFamilies } from "./presence.ts";
import { normativeRules } from "./normative-rules.ts";
import { securityRules } from "./security.ts";
import { stateRules } from "./states.ts";
import { textRules } from "./texts.ts";
import { testMetadataRules } from "./test-metadata.ts";
import { valueFamilies } from "./values.ts";
import { wireRules } from "./wire.ts";

const families = {
  ...fieldFamilies,
  ...presenceFamilies,
  ...groupFamilies,
  ...valueFamilies,
  ...constraintFamilies,
};

const singleRules = {
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
};

/** The name of a kind of change that has a rule for each direction. */
export type FamilyName = keyof typeof families;

/** The id of a rule that has no direction. */
export type SingleRuleId = keyof typeof singleRules;

const listed: readonly (readonly [string, Family])[] = Object.entries(families);
const single: readonly (readonly [string, Rule])[] = Object.entries(singleRules);

/** Every rule by its id, in the order in which people think of them. */
export const rules: ReadonlyMap<string, Rule> = new Map([
  ...single.filter(([, { area }]) => area !== "texts"),
  ...listed.flatMap(([name, family]) => rulesOfFamily(name, family)),
  ...single.filter(([, { area }]) => area === "texts"),
]);

/** The rule of an id that is known to be one. */
export function ruleOf(id: string): Rule {
  const rule = rules.get(id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return rule;
}
