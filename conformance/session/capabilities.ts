import { existsSync, readFileSync } from "node:fs";
import { payloadFields } from "../suite/methods.ts";
import { memberOf } from "../values/index.ts";
import type { SpecReference } from "../suite/level.ts";
import type { MethodEntry, PayloadShape, Suite } from "../suite/suite.ts";
import { didYouMean } from "../base/closest.ts";

/**
 * The capabilities that an implementation says it lacks: rules and scenarios of the interface by name, `operator`, `mail`,
 * `events`.
 */
export interface Capabilities {
  readonly lacks: readonly string[];
}

const others = ["operator", "mail", "events"];

/** Reads a capability file: `{ "lacks": ["revisions", "operator"] }`. @throws Error that says what to do */
export function openCapabilities(path: string, suite: Suite): Capabilities {
  if (!existsSync(path)) throw new Error(`there is no capability file ${path}`);
  const lacks = memberOf(parsed(path), "lacks");
  const wanted = '{ "lacks": [names of rules or scenarios, operator, mail or events] }';
  if (!Array.isArray(lacks) || !lacks.every((name) => typeof name === "string"))
    throw new Error(`${path}: it has to be ${wanted}`);
  const known = [...Object.keys(suite.rules), ...suite.scenarios.map(({ name }) => name), ...others];
  const unknown = lacks.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `${path}: lacks names ${unknown}, which is no rule or scenario of ${suite.name}${didYouMean(unknown, known)}`,
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

/** A part of a suite, by what it rests on. */
export interface Stated extends Pick<SpecReference, "decisions"> {
  readonly rule?: string;
  readonly scenario?: string;
}

/** The parts of a suite that an implementation claims to have. */
export interface Claims {
  /** The name of what is lacking that something rests on; undefined where it has to hold. */
  lacking(stated: Stated): string | undefined;
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
    lacking: ({ rule, scenario, decisions }) =>
      [rule, scenario].find((name) => name !== undefined && lacks.includes(name)) ??
      decisions.map((decision) => byDecision.get(decision)).find((name) => name !== undefined),
    has: (name) => !lacks.includes(name),
  };
}

/** Why a case is skipped that rests on what is lacking. */
export function lacksText(name: string): string {
  return `the capability file says that the service lacks ${name}`;
}

/**
 * Finds what is lacking that a payload asks for by the value of another field: the custodial type of a custodial
 * account. Nothing is said about optional members of a payload: a service may ignore them.
 */
export function requiredLacking(
  payload: unknown,
  { payload: shape }: { readonly payload: PayloadShape },
  claims: Pick<Claims, "lacking">,
): string | undefined {
  for (const { presence, decisions } of payloadFields(shape)) {
    if (presence.kind !== "required-when") continue;
    const deciding = memberOf(payload, presence.field);
    if (!presence.values.some((value) => value === deciding)) continue;
    const lacking = claims.lacking({ decisions });
    if (lacking !== undefined) return lacking;
  }
  return undefined;
}

/**
 * Whether a field of a payload rests on what is lacking: a filter, where there are no filters. An empty one does not
 * count.
 */
export function usesLacking(payload: unknown, { payload: shape }: MethodEntry, claims: Claims): boolean {
  if (shape.kind !== "single") return false;
  return shape.shape.fields.some(
    ({ name, decisions }) =>
      (memberOf(payload, name) ?? "") !== "" && claims.lacking({ decisions }) !== undefined,
  );
}
