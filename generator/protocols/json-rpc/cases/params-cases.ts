import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { escaped, payloadProblems } from "../../../../conformance/values/index.ts";
import type { FieldShape, Shape } from "../../../../conformance/suite/shape.ts";
import type { Expectation, RequestPlan } from "../../../../conformance/suite/case.ts";
import type { MethodEntry } from "../../../../conformance/suite/suite.ts";
import {
  addMethodCase,
  answeredMethods,
  refusedAs,
  taken,
  transportOf,
  type StandardCases,
  setting,
} from "./standard-cases.ts";

/** Parameters by name and by position, too few of them and too many (section 4.2). */
export function paramsCases(cases: StandardCases): void {
  for (const method of answeredMethods(cases)) new ParamsCases(cases, method).all();
}

class ParamsCases {
  readonly #cases: StandardCases;
  readonly #method: MethodEntry;
  readonly #style: "by-name" | "by-position" | "either";
  readonly #fields: readonly FieldShape[];

  constructor(cases: StandardCases, method: MethodEntry) {
    this.#cases = cases;
    this.#method = method;
    this.#style = transportOf(method)?.params ?? "by-name";
    this.#fields = method.payload.kind === "single" ? method.payload.shape.fields : [];
  }

  all(): void {
    this.#styles();
    this.#surplus();
    this.#few();
    if (this.#style !== "by-name") this.#nulls();
  }

  #add(name: string, title: string, request: RequestPlan, expect: Expectation, level?: "decisions"): void {
    addMethodCase(
      this.#cases,
      this.#method,
      omitUndefined({ group: "params", name, title, section: "4.2", request, expect, level }),
    );
  }

  /** The other way of writing is refused, or as good. */
  #styles(): void {
    if (this.#fields.length === 0) {
      const right = taken(this.#cases);
      this.#add("none", "no params", { params: "none" }, right);
      this.#add(
        "empty-list",
        "an empty list of params",
        { envelope: setting(this.#cases.frame.params, []) },
        right,
      );
      this.#add("empty-object", "an object without params", { params: "by-name" }, right);
      return;
    }
    const wrong = refusedAs(this.#cases, "badInput");
    for (const style of ["by-name", "by-position"] as const) {
      const isTaken = this.#style === "either" || this.#style === style;
      const base = this.#baseOf("maximal");
      if (base === undefined) continue;
      const words = style === "by-name" ? "by their names" : "by their positions";
      this.#add(style, `parameters ${words}`, { base, params: style }, isTaken ? taken(this.#cases) : wrong);
    }
  }

  /** Adds cases with undeclared parameters: a position more, a name more. */
  #surplus(): void {
    const wrong = refusedAs(this.#cases, "badInput");
    const base = this.#baseOf("maximal");
    if (base === undefined) return;
    const edits = [{ op: "set", at: "/x-unknown", value: true }] as const;
    if (this.#style !== "by-position")
      this.#add(
        "surplus-name",
        "a name that the method does not have",
        { base, edits, params: "by-name" },
        wrong,
        "decisions",
      );
    if (this.#style !== "by-name")
      this.#add(
        "surplus-position",
        "a position too many",
        { base, edits, params: "by-position" },
        wrong,
        "decisions",
      );
  }

  /** Without parameters that have to be there, and without those that need not. */
  #few(): void {
    if (this.#fields.length === 0) return;
    const isRequired = payloadProblems(this.#method.payload, {}, this.#cases.list.reading).length > 0;
    const expect = isRequired ? refusedAs(this.#cases, "badInput") : taken(this.#cases);
    this.#add(
      "none",
      isRequired ? "no params, of which some have to be there" : "no params",
      { params: "none" },
      expect,
    );
    if (this.#style === "by-name") return;
    const missing = { envelope: setting(this.#cases.frame.params, []) };
    this.#add("no-positions", "an empty list of params", missing, expect);
    const base = this.#baseOf("minimal");
    if (base !== undefined)
      this.#add(
        "positions-absent",
        "trailing optional positions left out",
        { base, params: "by-position" },
        taken(this.#cases),
      );
  }

  /** `null` in the place of an optional parameter that is not nullable means that it is absent. */
  #nulls(): void {
    const base = this.#baseOf("maximal");
    if (base === undefined) return;
    for (const field of this.#fields) {
      if (field.presence.kind !== "optional" || this.#mayBeNull(field.shape)) continue;
      this.#add(
        `null-${field.name}`,
        `null in the place of ${field.name}, which is optional: it is absent`,
        { base, edits: [{ op: "set", at: `/${escaped(field.name)}`, value: null }], params: "by-position" },
        taken(this.#cases),
        "decisions",
      );
    }
  }

  /** Whether null may be a value of a shape: then it does not mean absent. */
  #mayBeNull(shape: Shape): boolean {
    if (shape.kind === "ref") {
      const type = this.#cases.list.suite.types[shape.type];
      return type === undefined || this.#mayBeNull(type);
    }
    return ["null", "nullable", "union", "json"].includes(shape.kind);
  }

  #baseOf(fullness: "minimal" | "maximal"): string | undefined {
    return Object.keys(this.#method.bases).find((name) => name.endsWith(fullness));
  }
}
