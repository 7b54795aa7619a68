import type { Identity } from "../request/access.ts";
import type { Lookup } from "../request/resolve-value.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { codesOf } from "../response/error-findings.ts";
import { type Finding, finding, formatValue } from "../response/finding.ts";
import { resultOf, type ServiceResponse } from "../response/read-response.ts";
import { declaredPart } from "../response/result-findings.ts";
import type { Environment } from "../scenario/environment.ts";
import { call, type Call, CallFailed, findingsOn, type RunContext, send } from "../session/context.ts";
import { type Exchange, noAnswer, verdict } from "../session/outcome.ts";
import type { Case, Expectation, RequestPlan } from "../suite/case.ts";
import type { MethodEntry } from "../suite/suite.ts";
import type { ResourceType } from "./resource-types.ts";
import { type RuleName, rules } from "./rules.ts";

/** A rule does not hold: ends the sequence. */
export class InvariantViolation extends Error {
  readonly rule: RuleName;
  readonly findings: readonly Finding[];

  constructor(rule: RuleName, findings: readonly Finding[]) {
    super(`${rule}: ${findings[0]?.expected ?? ""}`);
    this.rule = rule;
    this.findings = findings;
  }
}

/** The context that all sequences of an exploration share. */
export interface ExplorationContext {
  readonly environment: Environment;
  readonly types: readonly ResourceType[];
  /** Requests that are refused for what is in them, by method. */
  readonly wrong: ReadonlyMap<string, readonly Case[]>;
  /** Rules that are not looked at: broken already, or of a level that does not count. */
  readonly muted: ReadonlySet<RuleName>;
  /** How often each rule was held against the service. */
  readonly tried: Map<RuleName, number>;
  /** Another caller, who sees nothing of what the caller has. */
  outsider(): Promise<Identity | undefined>;
}

interface Request {
  readonly title: string;
  readonly method: MethodEntry;
  readonly plan: RequestPlan;
  readonly lookup?: Lookup;
  readonly identity?: Identity;
  readonly id?: string;
}

/** One sequence against a service: sends, keeps what was sent, and says what is broken. */
export class Sequence {
  readonly exploration: ExplorationContext;
  readonly context: RunContext;
  readonly #steps: Exchange[] = [];
  /** Looking around at the end is no step of the sequence; only where it finds something, it is shown. */
  isAuditing = false;

  constructor(exploration: ExplorationContext) {
    this.exploration = exploration;
    this.context = exploration.environment.context;
  }

  get steps(): readonly Exchange[] {
    return this.#steps;
  }

  /** @throws InvariantViolation where no answer comes */
  async call({ title, method, plan, ...options }: Request): Promise<Call> {
    return await this.#answered(title, () => call(this.context, method, plan, options));
  }

  /** The same bytes once more. @throws InvariantViolation where no answer comes */
  async repeat(title: string, wire: WireRequest): Promise<Call> {
    return await this.#answered(title, () => send(this.context, wire, this.context.access));
  }

  note(title: string): void {
    this.#steps.push({ curl: `# ${title}`, answer: "" });
  }

  async #answered(title: string, send: () => Promise<Call>): Promise<Call> {
    if (this.isAuditing) this.#dropLook();
    this.exploration.environment.signal?.throwIfAborted();
    try {
      const made = await send();
      this.#keep(title, made.exchange);
      return made;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      this.#keep(title, error.exchange);
      throw new InvariantViolation("answers", noAnswer(error).findings);
    }
  }

  #keep(title: string, { curl, answer }: Exchange): void {
    const comment = this.isAuditing ? `${look}${title}` : `# ${title}`;
    this.#steps.push({ curl: `${comment}\n${curl}`, answer });
  }

  #dropLook(): void {
    if (this.#steps.at(-1)?.curl.startsWith(look) === true) this.#steps.pop();
  }

  /**
   * The result of an answer that must be one; undefined if it is an error and the rule is not checked. @throws
   * InvariantViolation
   */
  result(rule: RuleName, made: Call, method: MethodEntry): unknown {
    const result = resultOf(made.answer, method);
    this.check(rule, result !== undefined, "a result", errorWords(made.answer));
    if (result === undefined) return undefined;
    this.#checkResponse({ kind: "result" }, made, method);
    const { level, response } = this.context;
    return level === "strict" ? result : declaredPart(method.result, result, response);
  }

  /** Whether an answer that had to be an error is one; with any of the codes, where there are some. @throws InvariantViolation */
  refused(rule: RuleName, made: Call, method: MethodEntry, codes: readonly string[] = []): boolean {
    const given = codesOf(made.answer, this.context.suite);
    const isRefused = resultOf(made.answer, method) === undefined;
    const wanted = codes.length === 0 ? "an error" : `the error ${codes.join(" or ")}`;
    // An error that gives no code of the interface is a finding on every answer.
    const isWanted = codes.length === 0 || given.length === 0 || given.some((code) => codes.includes(code));
    this.check(rule, isRefused && isWanted, wanted, errorWords(made.answer));
    if (isRefused) this.#checkResponse({ kind: "error", codes: given }, made, method);
    return isRefused;
  }

  #checkResponse(expect: Expectation, made: Call, method: MethodEntry): void {
    const { level } = this.context;
    const place = { id: "exploration/answers", method: method.name };
    const own = findingsOn(this.context, expect, method, made, place);
    const counting = verdict(own, level, []).findings;
    this.#count("answers");
    if (counting.length > 0 && !this.exploration.muted.has("answers"))
      throw new InvariantViolation("answers", counting);
  }

  /** Whether something is so. @throws InvariantViolation where it is not, and the rule is checked */
  check(rule: RuleName, isSo: boolean, expected: string, found: unknown): boolean {
    this.#count(rule);
    if (isSo || this.exploration.muted.has(rule)) return isSo;
    const { level } = rules[rule];
    const text = typeof found === "string" ? found : formatValue(found);
    throw new InvariantViolation(rule, [finding(rule, level, expected, text)]);
  }

  #count(rule: RuleName): void {
    const { tried } = this.exploration;
    tried.set(rule, (tried.get(rule) ?? 0) + 1);
  }
}

const look = "# afterwards: ";

function errorWords({ error, text }: ServiceResponse): string {
  return error === undefined ? text.slice(0, 300) : `${String(error.code)} ${String(error.message)}`;
}
