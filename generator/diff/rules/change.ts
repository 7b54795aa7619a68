import { createHash } from "node:crypto";
import type { Span } from "../../language/source/index.ts";
import {
  parties,
  worst,
  type Area,
  type Bump,
  type Direction,
  type Facts,
  type Party,
  type Severity,
} from "./rule.ts";
import { ruleOf } from "./index.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** One change between two revisions of an interface. */
export interface Change {
  readonly rule: string;
  readonly area: Area;
  /** Of rule, path and what changed, not of where it stands: an approval survives later commits. */
  readonly fingerprint: string;
  /** `AccountService.GetAccount/payload/ID`. */
  readonly path: string;
  /** The change in a sentence. */
  readonly summary: string;
  /** That of the party it hits hardest. */
  readonly severity: Severity;
  readonly impacts: readonly Impact[];
  readonly bump: Bump;
  readonly direction?: Direction;
  /** The methods and events whose values it is part of; empty where it is of the interface as a whole. */
  readonly reaches: readonly string[];
  readonly notes: readonly string[];
  readonly facts: Facts;
  /** Where it stood. */
  readonly old?: Span;
  /** Where it stands. */
  readonly new?: Span;
  /** Where it would stand, if it is gone: what it was part of. */
  readonly near?: Span;
}

export interface Impact {
  readonly party: Party;
  readonly severity: Severity;
  /** The consequence for the party: one sentence. */
  readonly consequence: string;
}

/** A change as a comparison finds it. */
export interface Finding {
  readonly rule: string;
  readonly path: string;
  readonly facts: Facts;
  readonly direction?: Direction | undefined;
  readonly reaches?: readonly string[];
  readonly notes?: readonly string[];
  readonly old?: Span | undefined;
  readonly new?: Span | undefined;
  readonly near?: Span | undefined;
  /** Parties that the rule names and that this change does not concern. */
  readonly without?: readonly Party[];
}

export function changeOf(finding: Finding): Change {
  const { rule, path, facts, reaches = [], notes = [], without = [] } = finding;
  const { direction, old, new: recent, near } = finding;
  const { area, summary, effects, bump } = ruleOf(rule);
  const impacts = parties.flatMap((party): readonly Impact[] => {
    const effect = effects[party];
    if (effect === undefined || without.includes(party)) return [];
    return [{ party, severity: effect.severity, consequence: effect.consequence(facts) }];
  });
  return omitUndefined({
    rule,
    area,
    fingerprint: fingerprintOf(rule, path, facts),
    path,
    summary: summary(facts),
    severity: worst(impacts.map(({ severity }) => severity)),
    impacts,
    bump,
    reaches,
    notes,
    facts,
    direction,
    old,
    new: recent,
    near: near === undefined || recent !== undefined ? undefined : near,
  });
}

function fingerprintOf(rule: string, path: string, { name, from, to }: Facts): string {
  const essence = JSON.stringify([rule, path, name, from, to]);
  return createHash("sha256").update(essence).digest("hex").slice(0, 16);
}

/** Facts of which only some apply. */
export function factsOf(facts: Partial<Facts> & Pick<Facts, "name">): Facts {
  return { of: "", from: "", to: "", ...facts };
}
