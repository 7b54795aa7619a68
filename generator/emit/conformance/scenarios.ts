import type { Scenario, Suite } from "../../../conformance/suite/suite.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { stepsOf } from "./steps.ts";

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
    steps: stepsOf(scenario.steps),
  }));
}
