import { oncePer } from "../../language/source/once-per.ts";
import type { Documented, RequirementModel, ResourceModel, ScenarioModel } from "../../model/index.ts";
import type { Comparison } from "./comparison.ts";
import { compareDefinitions, compareDocumented, differs } from "./definitions.ts";
import { nameOf } from "./pair-up.ts";
import { code, quoted } from "./phrases.ts";

/** Compares test metadata: kinds of object, sequences of calls, and what shows whether a sentence holds. */
export function compareTestMetadata(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  compareKind(comparison, "resource", old.resources, recent.resources, nameOf, resourceText);
  compareKind(comparison, "scenario", old.scenarios, recent.scenarios, nameOf, scenarioText);
  compareKind(comparison, "requirement", old.requirements, recent.requirements, ({ id }) => id, casesText);
}

/** What each kind is made of beside its text is compared as one. */
function compareKind<T extends Documented>(
  comparison: Comparison,
  kind: "resource" | "scenario" | "requirement",
  oldItems: readonly T[],
  newItems: readonly T[],
  called: (item: T) => string,
  text: (item: T) => string,
): void {
  const path = (item: T): string => `${kind}s/${called(item)}`;
  const definitions = { old: oldItems, new: newItems, kind, nameOf: called, path };
  for (const pair of compareDefinitions(comparison, definitions)) {
    const { old, new: recent } = pair;
    const name = called(recent);
    compareDocumented(comparison, path(recent), `the ${kind} ${code(name)}`, old, recent);
    const report = comparison.at({ ...pair, path: path(recent), name });
    differs(report, `${kind}-changed`, text(old), text(recent));
  }
}

/** The keys that are compared elsewhere, or have a place of their own in the text. */
const saidElsewhere = ["name", "doc", "section", "decisions", "since", "deprecated", "span", "samples"];

/** Members of a resource beside its text, in a fixed order. */
function resourceText(resource: ResourceModel): string {
  const others = Object.entries(resource).filter(([key]) => !saidElsewhere.includes(key));
  const texts = [
    ...others.map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`),
    ...resource.samples.map(({ name, doc }) => `${name}: ${doc}`),
  ];
  return quoted(texts.toSorted().join(" · "));
}

const scenarioText = oncePer(({ about, level, alone, steps }: ScenarioModel) =>
  JSON.stringify([about.toSorted(), level, alone, steps]),
);

function casesText({ cases, untested }: RequirementModel): string {
  return JSON.stringify([cases, untested]);
}
