import { messageOf } from "../base/message-of.ts";
import type { Case } from "../suite/case.ts";
import type { RunContext } from "../session/context.ts";
import { interrupted } from "../session/outcome.ts";
import { skipped, type Verdict } from "../session/verdict.ts";
import { isWithin } from "../suite/level.ts";
import { explore, type Exploration, type ExploreOptions } from "./explore.ts";
import { resourceTypesOf } from "./resource-types.ts";
import { originOfRule, ruleNames, rules, type RuleName } from "./rules.ts";

/** A rule of explorations, as reports name it. */
export interface RuleCase extends Pick<Case, "id" | "method" | "title" | "level" | "origin" | "rule"> {
  readonly name: RuleName;
}

/** The rules that an exploration holds against a service, each a case. */
export function ruleCases({ suite, request }: RunContext): readonly RuleCase[] {
  const kinds = resourceTypesOf(suite, request);
  return ruleNames.map((name) => {
    const { title, level, ...rest } = rules[name];
    return {
      id: `exploration/${name}`,
      name,
      method: "(exploration)",
      title,
      level,
      origin: originOfRule(name, kinds, suite),
      ...rest,
    };
  });
}

/** Gives the verdict of an exploration on a rule; the exploration begins with the first question. */
export function explorer(options: ExploreOptions): (name: RuleName) => Promise<Verdict> {
  let exploration: Promise<Exploration> | undefined;
  return async (name) => {
    exploration ??= explore(options);
    try {
      return verdictOn(name, await exploration, options);
    } catch (error) {
      if (options.environment.signal?.aborted === true) return skipped(interrupted);
      const reason = messageOf(error);
      return { status: "broken", reason, findings: [], exchanges: [] };
    }
  };
}

function verdictOn(
  name: RuleName,
  { tried, failures, hasOutsider }: Exploration,
  { environment: { context } }: ExploreOptions,
): Verdict {
  const failure = failures.get(name);
  if (failure !== undefined) {
    const findings = failure.findings.filter(({ level }) => isWithin(level, context.level));
    return { status: "failed", findings, exchanges: failure.steps, replay: failure.replay };
  }
  if ((tried.get(name) ?? 0) > 0) return { status: "passed", findings: [], exchanges: [] };
  return skipped(
    name === "invisible" && !hasOutsider
      ? "needs another caller, whom only the operator can make"
      : "nothing came up to try it on",
  );
}
