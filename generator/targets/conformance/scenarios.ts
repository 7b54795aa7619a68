import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Scenario } from "../../../conformance/suite/suite.ts";
import type { ScenarioModel, ServiceModel } from "../../model/service-model.ts";
import { stepsOf } from "./steps.ts";

/** The sequences that the spec describes. */
export function scenariosOf(model: ServiceModel): readonly Scenario[] {
  return model.scenarios.map(scenarioOf);
}

function scenarioOf(scenario: ScenarioModel): Scenario {
  return omitUndefined({
    name: scenario.name,
    doc: scenario.doc,
    section: scenario.section,
    decisions: scenario.decisions,
    level: scenario.level ?? (scenario.decisions.length > 0 ? "decisions" : "document"),
    about: scenario.about,
    alone: scenario.alone,
    steps: stepsOf(scenario.steps),
  });
}
