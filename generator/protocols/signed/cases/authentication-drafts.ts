import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import type { Edit, Expectation, RequestPlan } from "../../../../conformance/suite/case.ts";
import type { Level } from "../../../../conformance/suite/level.ts";
import type { MethodModel } from "../../../model/service-model.ts";
import { minimalBase, type CaseList } from "../../../targets/conformance/case-list.ts";

interface Draft {
  readonly name: string;
  readonly title: string;
  readonly rule?: string;
  readonly level?: Level;
  readonly request: RequestPlan;
  readonly expect: Expectation;
}

/** Adds the cases of one operation in which the caller or the signature is tried; each gets the code that its member has. */
export class AuthenticationDrafts {
  readonly #method: MethodModel;
  readonly list: CaseList;
  readonly #auth: readonly string[];
  readonly documented: (code: string) => { readonly documented?: true };

  constructor(method: MethodModel, list: CaseList) {
    this.#method = method;
    this.list = list;
    this.#auth = method.transport.kind === "enveloped" ? method.transport.auth : [];
    const stated = new Set(
      method.errors.filter(({ section }) => section !== undefined).map(({ code }) => code),
    );
    this.documented = (code) => (stated.has(code) ? { documented: true } : {});
  }

  has(member: string): boolean {
    return this.#auth.includes(member);
  }

  rule(rule: string): { readonly rule?: string } {
    return this.list.has(rule) ? { rule } : {};
  }

  get taken(): Expectation {
    const codes = [...this.list.suite.auth.map(({ missing }) => missing), this.list.fault("badInput")];
    return { kind: "taken", notCodes: [...new Set(codes)] };
  }

  member(
    member: string,
    name: string,
    title: string,
    edit: Edit,
    level: Level = "decisions",
    hasControl = false,
  ): void {
    const missing = this.list.missing(member);
    if (missing === undefined) return;
    const codes = this.#codesOf(missing, hasControl);
    this.add({
      ...this.rule("missing-authentication"),
      name: `${member}/${name}`,
      title,
      level,
      request: { api: [edit] },
      expect: { kind: "error", codes, ...this.documented(codes[0] ?? "") },
    });
  }

  /** A control character is refused before the member that holds it is read (D-47), or may be. */
  #codesOf(missing: string, hasControl: boolean): readonly string[] {
    if (!hasControl) return [missing];
    const badInput = this.list.fault("badInput");
    return this.list.has("control-characters") ? [badInput] : [...new Set([missing, badInput])];
  }

  credential(name: string, title: string, parts: readonly [string, string], level?: Level): void {
    if (!this.has("credential")) return;
    this.member("credential", name, title, { op: "set", at: "/credential", value: { $basic: parts } }, level);
  }

  refused(
    name: string,
    title: string,
    signature: RequestPlan["signature"],
    options: {
      readonly rule?: string;
      readonly level?: Level;
      readonly text?: RequestPlan["text"];
      readonly needsMany?: true;
    } = {},
  ): void {
    const missing = this.list.missing("signature");
    if (missing === undefined || signature === undefined) return;
    const codes = this.#codesOf(missing, signature.change === "line-break");
    if (options.rule !== undefined && !this.list.has(options.rule)) return;
    const base = this.#baseWith(options.needsMany === true);
    if (base === undefined) return;
    this.add(
      omitUndefined({
        rule: options.rule,
        name: `signature/${name}`,
        title,
        level: options.level ?? (options.rule === undefined ? "document" : "decisions"),
        request: { ...base, signature, ...omitUndefined({ text: options.text }) },
        expect: { kind: "error", codes, ...this.documented(codes[0] ?? "") },
      }),
    );
  }

  accepted(name: string, title: string, rule: string, request: RequestPlan): void {
    if (!this.list.has(rule)) return;
    this.add({ name: `signature/${name}`, title, rule, request, expect: this.taken });
  }

  /** The least payload; or, where what is tried needs several members, the first base that has them. */
  #baseWith(many: boolean): RequestPlan | undefined {
    if (!many) return {};
    const { bases } = this.list.entryOf(this.#method);
    const base = Object.entries(bases).find(([, payload]) => Object.keys(payload ?? {}).length > 1)?.[0];
    return base === undefined ? undefined : { base };
  }

  add({ name, level = "decisions", request, ...draft }: Draft): void {
    this.list.add({
      method: this.#method.name,
      name: ["authentication", name],
      stated: [this.#method],
      level,
      ...draft,
      request: { base: minimalBase(this.list.entryOf(this.#method)), ...request },
    });
  }
}
