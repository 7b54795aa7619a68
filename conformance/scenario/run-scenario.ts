import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Identity } from "../request/access.ts";
import { memberOf } from "../request/access.ts";
import { formatValue, type Finding } from "../response/finding.ts";
import { checkResponse } from "../response/check-response.ts";
import { mismatches } from "../response/match.ts";
import { resultOf, saysUnknownMethod } from "../response/read-response.ts";
import type { Expectation, RequestPlan } from "../suite/case.ts";
import { valueAt } from "../request/edits.ts";
import { resolveValue, MissingValue, namesIn, type Lookup } from "../request/resolve-value.ts";
import { newKeyPair } from "../request/sign.ts";
import { buildRequest, type WireRequest } from "../request/build.ts";
import { call, CallFailed, ownFindings, send, type Call, type RunContext } from "../session/context.ts";
import type { Exchange } from "../session/outcome.ts";
import { missingReason } from "../session/missing-reason.ts";
import { noAnswer, verdict, type Verdict } from "../session/verdict.ts";
import { atLeast, isWithin } from "../suite/level.ts";
import type { Level, MethodEntry, Scenario, Step } from "../suite/suite.ts";
import { mailNames, mailsIn } from "./mailbox.ts";
import { notificationFindings } from "./notification.ts";
import { operatorMethod } from "./operator-method.ts";
import type { Inbox } from "./receiver.ts";
import type { Environment } from "./environment.ts";

/**
 * Runs the steps of a scenario until one of them fails. A step that fails in what does not count at the level of the run
 * ends the steps that it stands among, those of one value of an `each` or all, and says nothing about the service.
 */
export async function runScenario(scenario: Scenario, environment: Environment): Promise<Verdict> {
  const run = new ScenarioRun(scenario, environment);
  try {
    await run.steps(scenario.steps);
    return verdict([], environment.context.level, []);
  } catch (error) {
    if (error instanceof StepFailed)
      return verdict(error.findings, environment.context.level, run.lastExchanges);
    if (error instanceof NotPossible) return skip(error.message);
    if (error instanceof MissingValue) return skip(missingReason(error.valueName, environment.context.suite));
    if (error instanceof CallFailed) return noAnswer(error);
    throw error;
  }
}

/** What steps give, as values by name; nothing where they cannot be done. */
export async function valuesOf(
  steps: readonly Step[],
  gives: Readonly<Record<string, string>>,
  environment: Environment,
  lookup: Lookup,
): Promise<readonly (readonly [string, unknown])[] | undefined> {
  const scenario: Scenario = {
    name: "making",
    doc: "",
    level: "strict",
    about: [],
    alone: false,
    decisions: [],
    steps,
  };
  const run = new ScenarioRun(scenario, environment, lookup);
  try {
    await run.steps(steps);
    return Object.entries(gives).map(([name, value]) => [name, run.made(value)]);
  } catch (error) {
    if (error instanceof StepFailed || error instanceof NotPossible || error instanceof MissingValue)
      return undefined;
    if (error instanceof CallFailed) return undefined;
    throw error;
  }
}

function skip(reason: string): Verdict {
  return { status: "skipped", reason, findings: [], exchanges: [] };
}

class StepFailed extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super("a step failed");
    this.findings = findings;
  }
}

/** What a scenario needs is not there, which says nothing about the service. */
class NotPossible extends Error {}

/** A step did not succeed, which does not count at the level of the run. */
class BeyondLevel extends Error {}

const quietMs = 400;
const mailTimeoutMs = 5_000;
const exchangesShown = 5;

class ScenarioRun {
  readonly #scenario: Scenario;
  readonly #world: Environment;
  readonly #values = new Map<string, unknown>();
  readonly #identities = new Map<string, Identity>();
  readonly #inboxes = new Map<string, { readonly inbox: Inbox; readonly taken: Set<number> }>();
  readonly #sent = new Map<string, { readonly wire: WireRequest; readonly method: MethodEntry }>();
  readonly #exchanges: Exchange[] = [];

  readonly #outer: Lookup;
  /** The mails that were there before the last call. */
  #mailsBefore: ReadonlySet<string> = new Set();

  constructor(scenario: Scenario, environment: Environment, outer: Lookup = environment.context.lookup) {
    this.#scenario = scenario;
    this.#world = environment;
    this.#outer = outer;
    this.#values.set("unique", environment.unique());
  }

  get lastExchanges(): readonly Exchange[] {
    return this.#exchanges.slice(-exchangesShown);
  }

  async steps(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        await this.#step(step);
      } catch (error) {
        if (error instanceof BeyondLevel) return;
        if (error instanceof NotPossible && !this.#counts(this.#levelOf(step))) return;
        throw error;
      }
    }
  }

  #levelOf({ level }: Step): Level {
    return level ?? this.#scenario.level;
  }

  #counts(level: Level): boolean {
    return isWithin(level, this.#world.context.level);
  }

  async #step(step: Step): Promise<void> {
    if (step.call !== undefined && step.copies !== undefined)
      await this.#copies(step, step.call, step.copies);
    else if (step.call !== undefined) await this.#call(step, step.call);
    else if (step.operate !== undefined) await this.#operate(step, step.operate);
    else if (step.again !== undefined) await this.#again(step, step.again);
    else if (step.key !== undefined) this.#values.set(step.key, newKeyPair());
    else if (step.caller !== undefined) this.#caller(step.caller);
    else if (step.receiver !== undefined) await this.#receiver(step.receiver, step.refuses);
    else if (step.wait !== undefined) await sleep(step.wait * 1000);
    else if (step.event !== undefined) await this.#event(step, step.event);
    else if (step.quiet !== undefined) await this.#quiet(step, step.quiet);
    else if (step.mail !== undefined) await this.#mail(step, step.mail);
    else if (step.check !== undefined) this.#check(step, step.check);
    else if (step.each !== undefined) await this.#each(step.each);
  }

  readonly #lookup: Lookup = (name) => {
    const [first = "", ...rest] = name.split(".");
    if (!this.#values.has(first)) return this.#outer(name);
    return valueAt(this.#values.get(first), rest.map((part) => `/${part}`).join(""));
  };

  /** A value with everything put in that steps gave. */
  made(value: unknown): unknown {
    return resolveValue(value, this.#lookup);
  }

  async #call(step: Step, name: string): Promise<void> {
    const { context } = this.#world;
    const method = context.methodOf(name);
    const results: unknown[] = [];
    this.#mailsBefore = mailNames(this.#world.mailFolder);
    for (let time = 0; time < (step.times ?? 1); time += 1) {
      this.#values.set("time", time + 1);
      const made = await call(context, method, this.#planOf(step, method), this.#callOptions(step));
      if (step.as !== undefined) this.#sent.set(step.as, { wire: made.wire, method });
      results.push(this.#judged(step, method, made));
    }
    this.#keep(step, step.times === undefined ? results[0] : results);
  }

  /** The very same request, several times at once. */
  async #copies(step: Step, name: string, copies: number): Promise<void> {
    const { context } = this.#world;
    const method = context.methodOf(name);
    const { lookup, identity = context.access, id = context.newId() } = this.#callOptions(step);
    const { path, revision } = context.suite;
    const wire = buildRequest(this.#planOf(step, method), { path, revision, identity, lookup, id, method });
    const made = await Promise.all(Array.from({ length: copies }, () => send(context, wire, identity)));
    this.#keep(
      step,
      made.map((each) => this.#judged(step, method, each)),
    );
  }

  #planOf(step: Step, method: MethodEntry): RequestPlan {
    const written = step.text === undefined ? {} : { text: step.text };
    if (step.payload !== undefined) return { payload: step.payload, ...written };
    const base = step.base ?? Object.keys(method.bases).find((name) => name.endsWith("minimal")) ?? "minimal";
    const edits = Object.entries(step.with ?? {}).map(
      ([name, value]) => ({ op: "set", at: `/${name}`, value }) as const,
    );
    return { base, edits, ...written };
  }

  #callOptions(step: Step) {
    const identity = step.signer === undefined ? undefined : this.#identities.get(step.signer);
    if (step.signer !== undefined && identity === undefined)
      throw new Error(`scenario ${this.#scenario.name} has no caller ${step.signer}`);
    return {
      lookup: this.#lookup,
      ...(identity === undefined ? {} : { identity }),
      ...(step.id === undefined ? {} : { id: String(this.made(step.id)) }),
    };
  }

  /** The result; nothing where an error was asked for. @throws StepFailed, BeyondLevel */
  #judged(step: Step, method: MethodEntry, { wire, answer, exchange }: Call): unknown {
    this.#exchanges.push(exchange);
    const { context } = this.#world;
    const expect: Expectation =
      step.error === undefined ? { kind: "result" } : { kind: "error", codes: [step.error] };
    const level = this.#levelOf(step);
    const judged = checkResponse(expect, method, wire, answer, {
      suite: context.suite,
      settings: context.settings,
      reading: context.response,
    });
    const place = { id: `scenario/${this.#scenario.name}`, method: method.name };
    const findings = ownFindings(context, judged, place, exchange).map((finding) => ({
      ...finding,
      level: atLeast(finding.level, level),
    }));
    const counting = verdict(findings, context.level, []).findings;
    if (counting.length > 0) throw new StepFailed(counting);
    const result = resultOf(answer, method);
    if ((result === undefined) === (step.error === undefined)) throw new BeyondLevel(method.name);
    this.#expect(step, step.error === undefined ? result : memberOf(answer.json, "error"));
    return result ?? answer.json;
  }

  /** Holds a value against what a step asks for, as far as it counts. @throws StepFailed */
  #expect(step: Step, value: unknown): void {
    const level = this.#levelOf(step);
    this.#matches(step.expect, value, level);
    this.#matches(step.decided, value, atLeast("decisions", level));
  }

  #matches(pattern: unknown, value: unknown, level: Level): void {
    if (pattern === undefined || !this.#counts(level)) return;
    const wrong = mismatches(this.made(pattern), value);
    if (wrong.length === 0) return;
    throw new StepFailed(
      wrong.map(({ at, expected, found }) => ({
        check: "sequence",
        level,
        expected: `${at === "" ? "the value" : at} to be ${expected}`,
        found: formatValue(found),
      })),
    );
  }

  /** A step did not give what it had to. @throws StepFailed, or BeyondLevel where that does not count */
  #fail(step: Step, ...wrong: readonly { readonly expected: string; readonly found: string }[]): never {
    const level = this.#levelOf(step);
    if (!this.#counts(level)) throw new BeyondLevel(wrong[0]?.expected);
    throw new StepFailed(wrong.map((each) => ({ check: "sequence", level, ...each })));
  }

  #keep(step: Step, value: unknown): void {
    if (step.as !== undefined) this.#values.set(step.as, value);
  }

  async #operate(step: Step, name: string): Promise<void> {
    const { operator } = this.#world;
    if (operator === undefined)
      throw new NotPossible("needs operator access, which the access file does not give");
    const results: unknown[] = [];
    this.#mailsBefore = mailNames(this.#world.mailFolder);
    for (let time = 0; time < (step.times ?? 1); time += 1) {
      this.#values.set("time", time + 1);
      const method = operatorMethod(name);
      const payload = step.payload ?? step.with ?? {};
      const made = await call(
        operator.context,
        method,
        { payload },
        { lookup: this.#lookup, identity: operator.identity },
      );
      this.#exchanges.push(made.exchange);
      const result = resultOf(made.answer, method);
      if (result === undefined && step.error === undefined) {
        if (saysUnknownMethod(made.answer))
          throw new NotPossible(`needs the operator's ${name}, which the service does not have`);
        this.#fail(step, {
          expected: `the operator's ${name} to succeed`,
          found: made.answer.text.slice(0, 300),
        });
      }
      if (step.error !== undefined && made.answer.error?.code !== step.error)
        this.#fail(step, {
          expected: `the operator's ${name} to be refused with ${step.error}`,
          found: made.answer.text.slice(0, 300),
        });
      this.#expect(step, result);
      results.push(result);
    }
    this.#keep(step, step.times === undefined ? results[0] : results);
  }

  async #again(step: Step, name: string): Promise<void> {
    const earlier = this.#sent.get(name);
    if (earlier === undefined) throw new Error(`scenario ${this.#scenario.name} has no call ${name}`);
    const made = await send(this.#world.context, earlier.wire, this.#world.context.access);
    this.#keep(step, this.#judged(step, earlier.method, made));
  }

  #caller(caller: NonNullable<Step["caller"]>): void {
    const key = this.made(`{{${caller.key}.privateKeyPem}}`);
    const identity = {
      userName: String(this.made(caller.userName)),
      apiKey: String(this.made(caller.apiKey)),
      keyId: String(this.made(caller.keyId)),
      privateKeyPem: String(key),
    };
    this.#identities.set(caller.name, identity);
    this.#values.set(caller.name, identity);
  }

  async #receiver(name: string, refuses?: number): Promise<void> {
    const { receiver } = this.#world;
    if (receiver === undefined)
      throw new NotPossible("needs an address that the service can send events to: see --callback-url");
    const inbox = await receiver.open(refuses);
    this.#inboxes.set(name, { inbox, taken: new Set() });
    this.#values.set(name, { url: inbox.url });
  }

  #inboxOf(name: string): { readonly inbox: Inbox; readonly taken: Set<number> } {
    const inbox = this.#inboxes.get(name);
    if (inbox === undefined) throw new Error(`scenario ${this.#scenario.name} has no receiver ${name}`);
    return inbox;
  }

  async #event(
    step: Step,
    { at, name, expect, as, secret, withinSeconds = 5 }: NonNullable<Step["event"]>,
  ): Promise<void> {
    const { inbox, taken } = this.#inboxOf(String(this.made(at)));
    const pattern = this.made({
      ...(name === undefined ? {} : { eventName: name }),
      ...Object(expect ?? {}),
    });
    const endsAt = performance.now() + withinSeconds * 1000;
    for (;;) {
      for (const [index, arrival] of inbox.arrivals.entries()) {
        if (taken.has(index)) continue;
        const body = bodyOf(arrival.body);
        if (mismatches(pattern, body).length > 0) continue;
        taken.add(index);
        const findings = notificationFindings(arrival, {
          suite: this.#world.context.suite,
          reading: this.#world.context.response,
          keys: await this.#world.publicKeys(),
          secret: secret === undefined ? undefined : String(this.made(secret)),
        });
        const counting = verdict(findings, this.#world.context.level, []).findings;
        if (counting.length > 0) throw new StepFailed(counting);
        if (as !== undefined) this.#values.set(as, body).set(`${as}Headers`, arrival.headers);
        return;
      }
      if (!(await inbox.next(inbox.arrivals.length, endsAt - performance.now()))) break;
    }
    const arrived = inbox.arrivals.map(({ body }) => body.toString("utf8"));
    this.#fail(step, {
      expected: `an event like ${formatValue(pattern)} within ${withinSeconds} s`,
      found: arrived.length === 0 ? "none" : arrived.join("\n").slice(0, 600),
    });
  }

  async #quiet(step: Step, { at, name }: NonNullable<Step["quiet"]>): Promise<void> {
    const { inbox, taken } = this.#inboxOf(String(this.made(at)));
    await sleep(quietMs);
    const more = inbox.arrivals
      .filter((_, index) => !taken.has(index))
      .map(({ body }) => bodyOf(body))
      .filter((body) => name === undefined || memberOf(body, "eventName") === name);
    if (more.length > 0) this.#fail(step, { expected: "no further event", found: formatValue(more[0]) });
  }

  async #mail(step: Step, { holds, capture = {}, expect }: NonNullable<Step["mail"]>): Promise<void> {
    const { mailFolder } = this.#world;
    if (mailFolder === undefined)
      throw new NotPossible("needs the folder of the service's mails: see --mail");
    const text = holds === undefined ? "" : String(this.made(holds));
    const endsAt = performance.now() + mailTimeoutMs;
    for (;;) {
      const mail = mailsIn(mailFolder, this.#mailsBefore).find(({ to, subject, text: body }) =>
        `${to}\n${subject}\n${body}`.includes(text),
      );
      if (mail !== undefined) {
        this.#matches(expect, mail, this.#levelOf(step));
        const captured = Object.entries(capture).map(([name, expression]) => {
          const found = new RegExp(expression, "u").exec(mail.text)?.[1];
          if (found === undefined)
            this.#fail(step, { expected: `a mail with a match of ${expression}`, found: mail.subject });
          return [name, found] as const;
        });
        this.#keep(step, { ...mail, ...Object.fromEntries(captured) });
        return;
      }
      if (performance.now() > endsAt) break;
      await sleep(10);
    }
    if (!existsSync(mailFolder)) throw new NotPossible("needs the folder of the service's mails: see --mail");
    this.#fail(step, {
      expected: `a mail with ${formatValue(text)} within ${mailTimeoutMs / 1000} s`,
      found: "none",
    });
  }

  #check(step: Step, checks: NonNullable<Step["check"]>): void {
    if (!this.#counts(this.#levelOf(step))) return;
    for (const { that, is } of checks) {
      const wrong = mismatches(this.made(is), this.made(that));
      if (wrong.length === 0) continue;
      const about = namesIn(that).join(", ");
      this.#fail(
        step,
        ...wrong.map(({ at, expected, found }) => ({
          expected: `${about}${at} to be ${expected}`,
          found: formatValue(found),
        })),
      );
    }
  }

  async #each({ name, in: values, of, steps }: NonNullable<Step["each"]>): Promise<void> {
    for (const value of values ?? enumValues(of ?? "", this.#world.context)) {
      this.#values.set(name, this.made(value));
      await this.steps(steps);
    }
  }
}

function enumValues(type: string, { suite, response }: RunContext): readonly string[] {
  const shape = suite.types[type];
  const resolved = shape === undefined ? undefined : response.resolve(shape);
  return resolved?.kind === "enum" ? resolved.values.map(({ value }) => value) : [];
}

function bodyOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
