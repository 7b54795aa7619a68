import type { Scenario, Suite } from "../../../conformance/suite/suite.ts";
import type { ScenarioModel, ServiceModel } from "../../model/service-model.ts";

/** The sequences that the spec describes. */
export function scenariosOf(model: ServiceModel, _suite: Omit<Suite, "scenarios">): readonly Scenario[] {
  return model.scenarios.map((scenario) => ({
    name: scenario.name,
    doc: scenario.doc,
    ...(scenario.section === undefined ? {} : { section: scenario.section }),
    decisions: scenario.decisions,
    level: scenario.level ?? (scenario.decisions.length > 0 ? "decisions" : "document"),
    about: scenario.about,
    alone: scenario.alone,
    // Steps are checked against the schema of the spec language, whose form this is.
    steps: plainSteps(scenario),
  }));
}

const steps = new WeakMap<ScenarioModel, Scenario["steps"]>();

function plainSteps(scenario: ScenarioModel): Scenario["steps"] {
  const plain: Scenario["steps"] = steps.get(scenario) ?? JSON.parse(JSON.stringify(scenario.steps));
  steps.set(scenario, plain);
  return plain;
}
