import { hash } from "node:crypto";
import type { Case, Expectation, RequestPlan } from "../../../conformance/suite/case.ts";
import type { Level, MethodEntry, SpecReference, Suite } from "../../../conformance/suite/suite.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { probeOf } from "./probe.ts";

/** The endpoint as a whole, where a case is about no operation. */
export const endpoint = "(endpoint)";

export type Draft = Omit<Case, "id" | "origin"> & {
  /** The last parts of the id. */
  readonly name: readonly string[];
  readonly stated: readonly (SpecReference | undefined)[];
};

/** Adds a case; `decisions` is its level unless another is named. */
export type AddCase = (
  name: string,
  title: string,
  request: RequestPlan,
  expect: Expectation,
  level?: Level,
) => void;

/** A draft that is kept was made under the rules that there are. */
const casesOfDrafts = new WeakMap<Draft, Case>();

/** Collects cases, names them and says what they rest on. */
export class CaseList {
  readonly model: ServiceModel;
  readonly suite: Suite;
  readonly cases: Case[] = [];
  readonly #ids = new Set<string>();
  readonly #entries: ReadonlyMap<string, MethodEntry>;
  #drafts: Draft[] | undefined;

  constructor(model: ServiceModel, suite: Suite) {
    this.model = model;
    this.suite = suite;
    this.#entries = new Map(suite.methods.map((entry) => [entry.name, entry]));
  }

  /** Collects the drafts that `make` adds, without adding them: they are kept and added later. */
  drafted(make: () => void): readonly Draft[] {
    const drafts: Draft[] = [];
    this.#drafts = drafts;
    make();
    this.#drafts = undefined;
    return drafts;
  }

  add(added: Draft): void {
    if (this.#drafts !== undefined) {
      this.#drafts.push(added);
      return;
    }
    const id = this.#idOf(added);
    const known = casesOfDrafts.get(added);
    const made = known?.id === id ? known : this.#caseOf(id, added);
    casesOfDrafts.set(added, made);
    this.cases.push(made);
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

  /** Undefined where no enveloped operation only reads. */
  get probe(): MethodModel | undefined {
    return probeOf(this.model);
  }

  entryOf(method: MethodModel): MethodEntry {
    const entry = this.#entries.get(method.name);
    if (entry === undefined) throw new Error(`the suite has no method ${method.name}`);
    return entry;
  }

  #caseOf(id: string, added: Draft): Case {
    const { name: _name, stated, ...draft } = added;
    const ruled = draft.rule === undefined ? undefined : this.suite.rules[draft.rule];
    return { id, origin: originOf([...stated, ruled]), ...draft };
  }

  /** Of cases whose words come out equal, all but the first have a digest of what they send. */
  #idOf({ method, name, title, request }: Draft): string {
    const id = [method, ...name].join("/");
    let free = id;
    for (let count = 1; this.#ids.has(free); count += 1) {
      const text = JSON.stringify([title, request, count]);
      free = `${id}-${hash("sha256", text, "hex").slice(0, 6)}`;
    }
    this.#ids.add(free);
    return free;
  }
}

/** Text as a part of an id. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/(?<=^|\s)-(?=\d)/g, "minus ")
    .replaceAll(/[^A-Za-z0-9.+]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return words.slice(0, 60) || "x";
}

function originOf(stated: readonly (SpecReference | undefined)[]): readonly string[] {
  const sections = stated.flatMap((each) => each?.section ?? []);
  const decisions = stated.flatMap((each) => each?.decisions ?? []);
  return [...new Set([...sections, ...decisions])];
}

/** The first form's least payload. */
export function minimalBase({ bases }: MethodEntry): string {
  return Object.keys(bases).find((name) => name.endsWith("minimal")) ?? "minimal";
}
