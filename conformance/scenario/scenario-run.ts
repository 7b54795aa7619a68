import type { Identity } from "../request/access.ts";
import { type Lookup, resolveValue } from "../request/resolve-value.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { type Finding, finding, formatValue } from "../response/finding.ts";
import { mismatches } from "../response/match.ts";
import { resultOf } from "../response/read-response.ts";
import { declaredPart } from "../response/result-findings.ts";
import { type Call, findingsOn } from "../session/context.ts";
import { type Exchange, verdict } from "../session/outcome.ts";
import type { Expectation } from "../suite/case.ts";
import { atLeast, isWithin, type Level } from "../suite/level.ts";
import type { Step } from "../suite/step.ts";
import type { MethodEntry, Scenario } from "../suite/suite.ts";
import { memberOf, valueAt } from "../values/index.ts";
import type { Environment } from "./environment.ts";
import type { Inbox } from "./receiver.ts";
import { preparingSteps } from "./unused.ts";

/** The service broke what counts at the level of the run. */
export class StepFailed extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super("a step failed");
    this.findings = findings;
  }
}

/** A precondition of the scenario is missing, which is no fault of the service. */
export class NotPossible extends Error {}

/** A step did not succeed, which does not count at the level of the run. */
export class BeyondLevel extends Error {}

export interface OpenInbox {
  readonly inbox: Inbox;
  /** Indexes of arrivals that an earlier step has used. */
  readonly taken: Set<number>;
}

/** Members that steps with a response share. */
type Asserting = Pick<Extract<Step, { kind: "call" }>, "level" | "as" | "expect" | "decided" | "error">;

type Leveled = Pick<Step, "level">;

/** State and assertions that the steps of one scenario share. */
export class ScenarioRun {
  readonly scenario: Scenario;
  readonly environment: Environment;
  readonly values = new Map<string, unknown>();
  readonly identities = new Map<string, Identity>();
  readonly inboxes = new Map<string, OpenInbox>();
  readonly sent = new Map<string, { readonly wire: WireRequest; readonly method: MethodEntry }>();
  readonly exchanges: Exchange[] = [];
  /** Names of the mails that were there before the last call. */
  mailsBefore: ReadonlySet<string> = new Set();
  /** Steps that held the service to something which counts at the level of the run. */
  assertions = 0;
  /** Whether steps were left out because one of them did not succeed beyond the level. */
  endedEarly = false;
  /** Steps that an unused object serves as well as a new one. */
  readonly preparing: ReadonlySet<Step>;
  readonly #outer: Lookup;

  constructor(scenario: Scenario, environment: Environment, outer: Lookup = environment.context.lookup) {
    this.scenario = scenario;
    this.environment = environment;
    this.#outer = outer;
    this.values.set("unique", environment.unique());
    this.preparing = preparingSteps(scenario);
  }

  readonly lookup: Lookup = (name) => {
    const [first = "", ...rest] = name.split(".");
    if (!this.values.has(first)) return this.#outer(name);
    return valueAt(this.values.get(first), rest.map((part) => `/${part}`).join(""));
  };

  /** A value with all placeholders filled from earlier steps. */
  resolve(value: unknown): unknown {
    return resolveValue(value, this.lookup);
  }

  levelOf({ level }: Leveled): Level {
    return level ?? this.scenario.level;
  }

  counts(level: Level): boolean {
    return isWithin(level, this.environment.context.level);
  }

  keep(name: string | undefined, value: unknown): void {
    if (name !== undefined) this.values.set(name, value);
  }

  inboxOf(name: string): OpenInbox {
    const inbox = this.inboxes.get(String(this.resolve(name)));
    if (inbox === undefined) throw new Error(`scenario ${this.scenario.name} has no receiver ${name}`);
    return inbox;
  }

  /** The result; the whole answer where an error was asked for, its text where that is no JSON. @throws StepFailed, BeyondLevel */
  checked(step: Asserting, method: MethodEntry, made: Call): unknown {
    const { answer, exchange } = made;
    this.exchanges.push(exchange);
    const { context } = this.environment;
    const expect: Expectation =
      step.error === undefined ? { kind: "result" } : { kind: "error", codes: [step.error] };
    const level = this.levelOf(step);
    const place = { id: `scenario/${this.scenario.name}`, method: method.name };
    const given = resultOf(answer, method);
    const isWhole = given === undefined || context.level === "strict";
    const result = isWhole ? given : declaredPart(method.result, given, context.response);
    // Whether the call has to succeed counts at the level of the step; a result that was given has to be right.
    const isGiven = result !== undefined && step.error === undefined;
    const findings = findingsOn(context, expect, method, made, place).map((found) => ({
      ...found,
      level: isGiven ? found.level : atLeast(found.level, level),
    }));
    this.failBy(findings);
    if ((result === undefined) === (step.error === undefined)) {
      // Later steps may ask whether a result, which need not be an error, says the same.
      if (step.error !== undefined) this.keep(step.as, result);
      throw new BeyondLevel(method.name);
    }
    this.expect(step, step.error === undefined ? result : memberOf(answer.json, answer.frame.error));
    return result ?? answer.json ?? answer.text;
  }

  /** Compares a value with the patterns of a step, as far as they count. @throws StepFailed */
  expect(step: Asserting, value: unknown): void {
    const level = this.levelOf(step);
    this.matches(step.expect, value, level);
    this.matches(step.decided, value, atLeast("decisions", level));
  }

  /** @throws StepFailed */
  matches(pattern: unknown, value: unknown, level: Level): void {
    if (pattern === undefined || !this.counts(level)) return;
    const wrong = mismatches(this.resolve(pattern), value);
    if (wrong.length === 0) return;
    throw new StepFailed(
      wrong.map(({ at, expected, found }) => {
        const words = `${at === "" ? "the value" : at} to be ${expected}`;
        return finding("sequence", level, words, formatValue(found));
      }),
    );
  }

  /** Fails by the findings that count, if any do. @throws StepFailed */
  failBy(findings: readonly Finding[]): void {
    const counting = verdict(findings, this.environment.context.level, []).findings;
    if (counting.length > 0) throw new StepFailed(counting);
  }

  /** A step did not give what it had to. @throws StepFailed, or BeyondLevel where that does not count */
  fail(step: Leveled, ...wrong: readonly { readonly expected: string; readonly found: string }[]): never {
    const level = this.levelOf(step);
    if (!this.counts(level)) throw new BeyondLevel(wrong[0]?.expected);
    throw new StepFailed(wrong.map(({ expected, found }) => finding("sequence", level, expected, found)));
  }
}

/** The step of one kind. */
export type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;
