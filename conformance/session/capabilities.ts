import { existsSync, readFileSync } from "node:fs";
import { closest } from "fastest-levenshtein";
import { memberOf } from "../request/access.ts";
import type { MethodEntry, SpecReference, Suite } from "../suite/suite.ts";

/** The capabilities that an implementation says it lacks: rules of the interface by name, `operator`, `mail`, `events`. */
export interface Capabilities {
  readonly lacks: readonly string[];
}

const others = ["operator", "mail", "events"];

/** Reads a capability file: `{ "lacks": ["revisions", "operator"] }`. @throws Error that says what to do */
export function openCapabilities(path: string, suite: Suite): Capabilities {
  if (!existsSync(path)) throw new Error(`there is no capability file ${path}`);
  const lacks = memberOf(parsed(path), "lacks");
  const wanted = '{ "lacks": [names of rules, operator, mail or events] }';
  if (!Array.isArray(lacks) || !lacks.every((name) => typeof name === "string"))
    throw new Error(`${path}: it has to be ${wanted}`);
  const known = [...Object.keys(suite.rules), ...others];
  const unknown = lacks.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `${path}: lacks names ${unknown}, which is no rule of ${suite.name}; did you mean ${closest(unknown, known)}?`,
    );
  return { lacks };
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Error(`${path} is no JSON`);
  }
}

/** The parts of a suite that an implementation claims to have. */
export interface Claims {
  /** The name of what is lacking that something rests on; undefined where it has to hold. */
  lacking(stated: Pick<SpecReference, "decisions"> & { readonly rule?: string }): string | undefined;
  has(name: "operator" | "mail" | "events"): boolean;
}

export function claimsOf({ lacks }: Capabilities, suite: Suite): Claims {
  const rules = lacks.filter((name) => !others.includes(name));
  const byDecision = new Map(
    rules.flatMap((name) =>
      (suite.rules[name]?.decisions ?? []).map((decision) => [decision, name] as const),
    ),
  );
  // A decision that other rules rest on too is still asked for.
  for (const [name, { decisions }] of Object.entries(suite.rules))
    if (!rules.includes(name)) for (const decision of decisions) byDecision.delete(decision);
  return {
    lacking: ({ rule, decisions }) =>
      rule !== undefined && rules.includes(rule)
        ? rule
        : decisions.map((decision) => byDecision.get(decision)).find((name) => name !== undefined),
    has: (name) => !lacks.includes(name),
  };
}

/** Whether a field of a payload rests on what is lacking: a filter, where there are no filters. Empty, it is none. */
export function usesLacking(payload: unknown, { payload: shape }: MethodEntry, claims: Claims): boolean {
  if (shape.kind !== "single") return false;
  return shape.shape.fields.some(
    ({ name, decisions }) =>
      (memberOf(payload, name) ?? "") !== "" && claims.lacking({ decisions }) !== undefined,
  );
}
