import { originOf } from "../response/finding.ts";
import type { Level, SpecReference } from "../suite/level.ts";
import type { Suite } from "../suite/suite.ts";
import type { ResourceType } from "./resource-types.ts";

/** Invariants: rules that hold after every sequence of calls. */
export const rules = {
  creates: {
    title: "what is created is new, and is as it was asked for",
    level: "document",
  },
  repeats: {
    title: "a creation that is sent again gives the first answer and makes nothing",
    level: "decisions",
    rule: "repetition",
  },
  reads: {
    title: "what was written of an object is read back, and what was not changed stays as it was",
    level: "document",
  },
  changes: {
    title: "a change that is right is taken, and answered with what was asked for",
    level: "document",
  },
  transitions: {
    title: "an object goes from state to state as the interface says, and in no other way",
    level: "document",
  },
  refusals: {
    title: "a request that is wrong is refused, and nothing has changed afterwards",
    level: "decisions",
    rule: "first-error-wins",
  },
  absent: {
    title: "what was never made is not found",
    level: "decisions",
  },
  lists: {
    title: "each object is listed once, as it is, however the pages are cut",
    level: "decisions",
    rule: "paging",
  },
  filters: {
    title: "a filter finds what it describes, and nothing else",
    level: "decisions",
    rule: "filter-syntax",
  },
  invisible: {
    title: "another caller neither sees nor changes what is not theirs",
    level: "decisions",
    rule: "invisible-is-absent",
  },
  answers: {
    title: "every request is answered as the interface says answers look",
    level: "document",
  },
} as const satisfies Readonly<Record<string, RuleText>>;

interface RuleText {
  readonly title: string;
  readonly level: Level;
  /** The rule of the spec that says so. */
  readonly rule?: string;
}

export type RuleName = keyof typeof rules;

export const ruleNames: readonly RuleName[] = Object.keys(rules).filter((name) => isRuleName(name));

function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(rules, name);
}

/** Sections and decisions that a rule rests on. */
export function originOfRule(
  name: RuleName,
  kinds: readonly ResourceType[],
  suite: Suite,
): readonly string[] {
  const { rule }: RuleText = rules[name];
  const stated = rule === undefined ? undefined : suite.rules[rule];
  if (stated !== undefined) return originOf(stated);
  return [...new Set(statedBy(name, kinds, suite).flatMap(({ section }) => section ?? []))];
}

function statedBy(name: RuleName, kinds: readonly ResourceType[], suite: Suite): readonly SpecReference[] {
  switch (name) {
    case "creates":
      return kinds.flatMap(({ creator }) => creator?.method ?? []);
    case "reads":
      return kinds.flatMap(({ readers }) => readers.map(({ method }) => method));
    case "changes":
      return kinds.flatMap(({ setters }) => setters.map(({ method }) => method));
    case "transitions":
      return suite.states;
    case "absent":
      return suite.errors.filter(({ code }) => kinds.some(({ entry }) => entry.absent === code));
    default:
      return [];
  }
}
