import { bySectionThen, type LoadedSpec, type ResourceSpec } from "../language/index.ts";
import { documented } from "./shape.ts";
import { sortedValue } from "./examples.ts";
import type { RequirementModel, ResourceModel, ScenarioModel } from "./service-model.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

export function resourcesOf({ spec }: LoadedSpec): readonly ResourceModel[] {
  return spec.resources
    .map((resource) =>
      omitUndefined({
        ...documented(resource),
        name: resource.name.value,
        absent: resource.absent?.value,
        samples: resource.samples
          .map(({ name, doc }) => ({ name: name.value, doc }))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        made: resource.made && madeOf(resource.made),
        kept: resource.kept && {
          before: resource.kept.before.map(sortedValue),
          after: resource.kept.after.map(sortedValue),
        },
        removed: removedOf(resource),
      }),
    )
    .toSorted(bySectionThen((resource) => resource.name));
}

export function scenariosOf({ spec }: LoadedSpec): readonly ScenarioModel[] {
  return spec.scenarios
    .map((scenario) =>
      omitUndefined({
        ...documented(scenario),
        name: scenario.name.value,
        about: scenario.about.map((name) => name.value).toSorted(),
        level: levelOf(scenario.level),
        alone: scenario.alone,
        steps: scenario.steps.map(sortedValue),
      }),
    )
    .toSorted(bySectionThen((scenario) => scenario.name));
}

export function requirementsOf({ spec }: LoadedSpec): readonly RequirementModel[] {
  return spec.requirements
    .map((requirement) =>
      omitUndefined({
        ...documented(requirement),
        id: requirement.id.value,
        cases: requirement.cases.map(({ value }) => value).toSorted(),
        untested: requirement.untested,
      }),
    )
    .toSorted(bySectionThen(({ id }) => id));
}

function madeOf({ steps, gives }: NonNullable<ResourceSpec["made"]>): ResourceModel["made"] {
  const sorted = gives
    .map(([name, value]) => [name.value, value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { steps: steps.map(sortedValue), gives: Object.fromEntries(sorted) };
}

function removedOf({ removed }: ResourceSpec): ResourceModel["removed"] {
  if (removed.length === 0) return undefined;
  const sorted = removed
    .map(({ operation, steps }) => [operation.value, steps.map(sortedValue)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}

function levelOf(level: string | undefined): ScenarioModel["level"] {
  return level === "document" || level === "decisions" || level === "strict" ? level : undefined;
}
