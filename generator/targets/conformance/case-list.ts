import { CaseNames, type Draft } from "../../../conformance/cases/draft.ts";
import { shapeResolver } from "../../../conformance/suite/methods.ts";
import type { Case, Expectation, RequestPlan } from "../../../conformance/suite/case.ts";
import type { Level } from "../../../conformance/suite/level.ts";
import type { MethodEntry, Suite } from "../../../conformance/suite/suite.ts";
import type { Reading } from "../../../conformance/values/index.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";

/** The endpoint as a whole, where a case is about no operation. */
export const endpoint = "(endpoint)";

/** Adds a case; `decisions` is its level unless another is named. */
export type AddCase = (
  name: string,
  title: string,
  request: RequestPlan,
  expect: Expectation,
  level?: Level,
) => void;

/** Collects the cases that are written down. */
export class CaseList {
  readonly model: ServiceModel;
  readonly suite: Suite;
  readonly cases: Case[] = [];
  /** Undefined where no enveloped operation only reads. */
  readonly probe: MethodModel | undefined;
  readonly #names: CaseNames;
  readonly #entries: ReadonlyMap<string, MethodEntry>;

  constructor(model: ServiceModel, suite: Suite) {
    this.model = model;
    this.suite = suite;
    this.probe = model.methods.find(({ name }) => name === suite.probe);
    this.#names = new CaseNames(suite);
    this.#entries = new Map(suite.methods.map((entry) => [entry.name, entry]));
  }

  add(added: Draft): void {
    this.cases.push(this.#names.caseOf(added));
  }

  /** Adds cases that try one rule on one operation, each over its least payload. */
  adderOf(method: MethodModel, rule: string, group: string): AddCase {
    const base = minimalBase(this.entryOf(method));
    return (name, title, request, expect, level = "decisions") =>
      this.add({
        method: method.name,
        name: [group, name],
        title,
        level,
        rule,
        stated: [method],
        request: { base, ...request },
        expect,
      });
  }

  /** Whether the spec has a rule: what it does not ask for is not tried. */
  has(rule: string): boolean {
    return Object.hasOwn(this.suite.rules, rule);
  }

  /** The code of a condition that the runtime itself detects. */
  fault(name: string): string {
    return this.suite.faults[name] ?? name;
  }

  /** The code answered where a member of `params.api` is missing or malformed; undefined where there is no such member. */
  missing(member: string): string | undefined {
    return this.suite.auth.find(({ name }) => name === member)?.missing;
  }

  get enveloped(): readonly MethodModel[] {
    return this.model.methods.filter(({ transport }) => transport.kind === "enveloped");
  }

  get flat(): readonly MethodModel[] {
    return this.model.methods.filter(({ transport }) => transport.kind === "flat");
  }

  /** Reads the requests of an operation. */
  get reading(): Reading {
    return { direction: "request", resolve: shapeResolver(this.suite) };
  }

  entryOf(method: MethodModel): MethodEntry {
    const entry = this.#entries.get(method.name);
    if (entry === undefined) throw new Error(`the suite has no method ${method.name}`);
    return entry;
  }
}

/** The first form's least payload. */
export function minimalBase({ bases }: MethodEntry): string {
  return Object.keys(bases).find((name) => name.endsWith("minimal")) ?? "minimal";
}
