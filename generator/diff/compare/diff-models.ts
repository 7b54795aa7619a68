import type { ServiceModel } from "../../model/index.ts";
import { changeOf, factsOf, type Change } from "../rules/change.ts";
import { rules } from "../rules/index.ts";
import { compareAuthentication } from "./protocol/authentication.ts";
import { createComparison } from "./comparison.ts";
import { compareErrorData, compareErrors } from "./errors.ts";
import { compareEvents } from "./events.ts";
import { compareInterface, compareNormativeRules } from "./interface.ts";
import { compareMethods } from "./methods.ts";
import { compareShapes } from "./values/shapes.ts";
import { compareStates } from "./states.ts";
import { compareTypes, pairTypes } from "./types.ts";
import { compareTestMetadata } from "./test-metadata.ts";
import { createTraversal } from "./values/value-walk.ts";
import { oncePer } from "../../language/source/once-per.ts";
import { compareWires } from "./protocol/wire.ts";
import { severities } from "../rules/rule.ts";

/**
 * Every change between two revisions of an interface, the hardest first, then by path. The order of definitions,
 * fields, values and transitions, comments and formatting are no change. Two models are compared once.
 */
export function diffModels(old: ServiceModel, recent: ServiceModel): readonly Change[] {
  return changesSince(recent)(old);
}

const changesSince = oncePer((recent: ServiceModel) =>
  oncePer((old: ServiceModel) => comparedModels(old, recent)),
);

function comparedModels(old: ServiceModel, recent: ServiceModel): readonly Change[] {
  const comparison = createComparison(old, recent, pairTypes(old, recent));
  const traversal = createTraversal(comparison, compareShapes);
  compareInterface(comparison);
  compareWires(comparison);
  compareAuthentication(comparison);
  const methods = compareMethods(comparison, traversal);
  compareEvents(comparison, traversal);
  compareErrorData(comparison, traversal);
  traversal.finish();
  compareTypes(comparison, traversal.reached);
  compareErrors(comparison);
  compareStates(comparison, new Map(methods.map((pair) => [pair.old.name, pair.new.name])));
  compareNormativeRules(comparison);
  compareTestMetadata(comparison);
  return comparison.changes.toSorted(byWeight);
}

/** The one change that is to be said where a whole interface came or went. */
export function wholeInterface(rule: "interface-added" | "interface-removed", model: ServiceModel): Change {
  const revision = rule === "interface-added" ? { to: model.revision } : { from: model.revision };
  const place = rule === "interface-added" ? { new: model.span } : { old: model.span };
  return changeOf({ rule, path: "interface", facts: factsOf({ name: model.name, ...revision }), ...place });
}

const order: ReadonlyMap<string, number> = new Map([...rules.keys()].map((id, at) => [id, at]));

function byWeight(a: Change, b: Change): number {
  return (
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    compareTexts(a.path, b.path) ||
    (order.get(a.rule) ?? 0) - (order.get(b.rule) ?? 0) ||
    compareTexts(a.fingerprint, b.fingerprint)
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
