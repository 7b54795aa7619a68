import type { MethodModel, ServiceModel } from "../../model/index.ts";
import type { Change } from "../rules/change.ts";
import { isAtLeast, worst, type Severity } from "../rules/rule.ts";

/** A handler that a person has to look at, and why. */
export interface HandlerToSee {
  readonly method: string;
  /** Where it is or will be. */
  readonly file: string;
  readonly severity: Severity;
  /** The rules of what concerns it. */
  readonly rules: readonly string[];
}

/**
 * The handlers that changes may leave wrong or without a body: of methods that a change reaches, or that announce an
 * event which it reaches. In the order of the methods; a method that is gone comes last.
 */
export function handlersToSee(
  changes: readonly Change[],
  old: ServiceModel,
  recent: ServiceModel,
  fileOf: (method: MethodModel, model: ServiceModel) => string,
): readonly HandlerToSee[] {
  const found = changes.flatMap((change) => {
    const impact = change.impacts.find(({ party }) => party === "implementers");
    if (impact === undefined || !isAtLeast(impact.severity, "warning")) return [];
    return [{ rule: change.rule, severity: impact.severity, reaches: new Set(change.reaches) }];
  });
  const known = new Set(recent.methods.map(({ name }) => name));
  const all = [
    ...recent.methods.map((method) => ({ method, model: recent })),
    ...old.methods.filter(({ name }) => !known.has(name)).map((method) => ({ method, model: old })),
  ];
  return all.flatMap(({ method, model }): readonly HandlerToSee[] => {
    const own = found.filter(({ reaches }) =>
      [method.name, ...method.emits].some((name) => reaches.has(name)),
    );
    if (own.length === 0) return [];
    return [
      {
        method: method.name,
        file: fileOf(method, model),
        severity: worst(own.map(({ severity }) => severity)),
        rules: [...new Set(own.map(({ rule }) => rule))].toSorted(),
      },
    ];
  });
}
