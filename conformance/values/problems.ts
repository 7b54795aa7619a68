import { omitUndefined } from "../base/omit-undefined.ts";
import {
  type ArrayShape,
  type EnumShape,
  type FieldShape,
  type MapShape,
  type NumberShape,
  type ObjectShape,
  type Reading,
  type ResolvedShape,
  type Shape,
  stringFormats,
  type StringShape,
  type TaggedShape,
  type UnionShape,
  wireNames,
} from "../suite/shape.ts";
import { formatAccepts } from "./formats.ts";
import { escaped, isJsonObject, leadsTo, memberOf, canonicalText } from "./json.ts";

export type ProblemKind =
  | "absent"
  | "empty"
  | "type"
  | "value"
  | "format"
  | "length"
  | "pattern"
  | "range"
  | "items"
  | "repeated"
  | "group"
  | "form"
  | "alternative"
  | "surplus";

/** One way in which a value does not fit its shape. */
export interface Problem {
  /** JSON Pointer. */
  readonly at: string;
  readonly kind: ProblemKind;
  /** The expected value. */
  readonly expected: string;
  readonly found: unknown;
  /** Names or values that fit in its place, where there is a list of them. */
  readonly known?: readonly string[];
  /** The nearest field around it. */
  readonly field?: FieldShape;
  /** For a second spelling that is missing or differs: the name that the field has besides. */
  readonly spellingOf?: string;
}

/** Stands where a value is to be put in before it is sent: fits every text, and in requests every number. */
const placeholder = /^\{\{[^{}]+\}\}$/;

/** All that is wrong with a JSON value, in the order of the shape. Read straight from the shape, plain and slow. */
export function problemsOf(shape: Shape, value: unknown, reading: Reading): readonly Problem[] {
  const problems: Problem[] = [];
  new Walk(reading, problems).value(shape, value, "", undefined);
  return problems;
}

/** Whether a JSON value fits a shape. */
export function accepts(shape: Shape, value: unknown, reading: Reading): boolean {
  return problemsOf(shape, value, reading).length === 0;
}

const knownValues = new WeakMap<EnumShape["values"], ReadonlySet<unknown>>();

/** The values of an enum, looked up and not searched: each of thousands is tried. */
function valuesOf({ values }: EnumShape): ReadonlySet<unknown> {
  const found = knownValues.get(values) ?? new Set<unknown>(values.map(({ value }) => value));
  knownValues.set(values, found);
  return found;
}

/** A shape that is made of others. */
type ComposedShape = Extract<
  ResolvedShape,
  { readonly kind: "null" | "nullable" | "union" | "tagged" | "map" | "tuple" }
>;

class Walk {
  readonly #reading: Reading;
  readonly #problems: Problem[];

  constructor(reading: Reading, problems: Problem[]) {
    this.#reading = reading;
    this.#problems = problems;
  }

  value(shape: Shape, value: unknown, at: string, field: FieldShape | undefined): void {
    const resolved = this.#reading.resolve(shape);
    const add = (kind: ProblemKind, expected: string, known?: readonly string[]): void => {
      this.#problems.push({ at, kind, expected, found: value, ...omitUndefined({ field, known }) });
    };
    switch (resolved.kind) {
      case "string":
        if (typeof value !== "string") add("type", "a string");
        else if (this.#reading.example === true || !placeholder.test(value))
          stringProblems(resolved, value, add);
        return;
      case "number":
      case "integer":
      case "money":
      case "bigint":
        if (this.#isPlaced(value)) return;
        if (typeof value !== "number") add("type", isWhole(resolved) ? "an integer" : "a number");
        else numberProblems(resolved, value, add);
        if (
          resolved.kind === "money" &&
          this.#reading.example === true &&
          significantDigits(Number(value)) > 15
        )
          add("range", "at most 15 significant digits");
        return;
      case "boolean":
        if (typeof value !== "boolean") add("type", "true or false");
        else if ((resolved.const ?? value) !== value) add("value", String(resolved.const));
        return;
      case "enum":
        if (valuesOf(resolved).has(value)) return;
        // A fraction is of no enum's type.
        if (
          (typeof value === "number" && !Number.isInteger(value)) ||
          !resolved.values.some((allowed) => typeof allowed.value === typeof value)
        )
          add(
            "type",
            resolved.values.some(({ value: each }) => typeof each === "string") ? "a string" : "an integer",
          );
        else if (!(resolved.open === true && this.#reading.direction === "response")) {
          const known = resolved.values.map((allowed) => String(allowed.value));
          add("value", `one of ${known.join(", ")}`, known);
        }
        return;
      case "array":
        if (!Array.isArray(value)) add("type", "an array");
        else this.#array(resolved, value, at, field, add);
        return;
      case "object":
        if (!isJsonObject(value)) add("type", "an object");
        else this.#object(resolved, value, at, add);
        return;
      case "json":
        return;
      default:
        this.#composed(resolved, value, at, field, add);
    }
  }

  #isPlaced(value: unknown): boolean {
    const { direction, example } = this.#reading;
    return (
      direction === "request" && example !== true && typeof value === "string" && placeholder.test(value)
    );
  }

  #composed(
    shape: ComposedShape,
    value: unknown,
    at: string,
    field: FieldShape | undefined,
    add: (kind: ProblemKind, expected: string) => void,
  ): void {
    switch (shape.kind) {
      case "null":
        if (value !== null) add("type", "null");
        return;
      case "nullable":
        if (value !== null) this.value(shape.shape, value, at, field);
        return;
      case "union":
        this.#union(shape, value, at, add);
        return;
      case "tagged":
        if (isJsonObject(value)) this.#tagged(shape, value, at, field);
        else add("type", "an object");
        return;
      case "map":
        if (isJsonObject(value)) this.#map(shape, value, at, field);
        else add("type", "an object");
        return;
      case "tuple":
        if (!Array.isArray(value)) add("type", "an array");
        else if (value.length !== shape.items.length) add("items", `${shape.items.length} items`);
        else
          for (const [index, item] of shape.items.entries())
            this.value(item, value[index], `${at}/${index}`, field);
    }
  }

  #union(
    { alternatives, exactlyOne }: UnionShape,
    value: unknown,
    at: string,
    add: (kind: ProblemKind, expected: string) => void,
  ): void {
    const found = alternatives.map((shape) => problemsOf(shape, value, this.#reading));
    const fitting = found.filter((problems) => problems.length === 0).length;
    if (fitting > 1 && exactlyOne) add("alternative", "of one alternative, and no more");
    if (fitting > 0) return;
    // Where one alternative alone is close, its problems are reported as if it were the only one.
    const near = found.filter((problems) =>
      problems.every((problem) => problem.at !== "" || problem.kind !== "type"),
    );
    const [only, ...more] = near;
    if (only !== undefined && more.length === 0)
      this.#problems.push(...only.map((problem) => ({ ...problem, at: at + problem.at })));
    else add("alternative", `of one of ${alternatives.length} alternatives`);
  }

  #tagged(
    { discriminator, cases }: TaggedShape,
    value: object,
    at: string,
    field: FieldShape | undefined,
  ): void {
    const tag = memberOf(value, discriminator);
    const chosen = cases.find((each) => each.tag === tag);
    const place = `${at}/${escaped(discriminator)}`;
    if (chosen !== undefined) {
      const before = this.#problems.length;
      this.value(chosen.shape, value, at, field);
      // The case need not declare what distinguishes it.
      const own = this.#problems.splice(before);
      this.#problems.push(...own.filter((each) => each.kind !== "surplus" || each.at !== place));
      return;
    }
    this.#problems.push({
      at: place,
      kind: tag === undefined ? "absent" : "value",
      expected: `one of ${cases.map((each) => each.tag).join(", ")}`,
      found: tag,
      known: cases.map((each) => each.tag),
      ...omitUndefined({ field }),
    });
  }

  #map({ values, keys }: MapShape, value: object, at: string, field: FieldShape | undefined): void {
    for (const [name, part] of Object.entries(value)) {
      if (keys !== undefined) this.value(keys, name, `${at}/${escaped(name)}`, field);
      this.value(values, part, `${at}/${escaped(name)}`, field);
    }
  }

  #array(
    shape: ArrayShape,
    items: readonly unknown[],
    at: string,
    field: FieldShape | undefined,
    add: (kind: ProblemKind, expected: string) => void,
  ): void {
    if (items.length < (shape.itemsMin ?? 0)) add("items", `at least ${shape.itemsMin} items`);
    if (items.length > (shape.itemsMax ?? Infinity)) add("items", `at most ${shape.itemsMax} items`);
    if (shape.unique && new Set(items.map((item) => canonicalText(item))).size < items.length)
      add("repeated", "items that differ");
    for (const [index, item] of items.entries()) this.value(shape.items, item, `${at}/${index}`, field);
  }

  #object(
    shape: ObjectShape,
    value: object,
    at: string,
    add: (kind: ProblemKind, expected: string) => void,
  ): void {
    const own = new Map<string, unknown>(Object.entries(value));
    for (const field of shape.fields) this.#field(field, own, at);
    if (shape.closed === true) this.#surplus(shape, own, at);
    for (const group of shape.atLeastOneOf)
      if (!group.some((name) => own.has(name))) add("group", `at least one of ${group.join(", ")}`);
    for (const group of shape.atLeastOnePath ?? [])
      if (!group.some((path) => leadsTo(value, path)))
        add("group", `at least one of ${group.map((path) => path.join(".")).join(", ")}`);
    for (const group of shape.exactlyOneOf)
      if (group.filter((name) => own.has(name)).length !== 1)
        add("group", `exactly one of ${group.join(", ")}`);
    for (const group of shape.exactlyOnePath ?? [])
      if (group.filter((path) => leadsTo(value, path)).length !== 1)
        add("group", `exactly one of ${group.map((path) => path.join(".")).join(", ")}`);
  }

  #surplus({ fields }: ObjectShape, own: ReadonlyMap<string, unknown>, at: string): void {
    const declared = new Set(fields.flatMap((field) => wireNames(field, this.#reading)));
    for (const [name, found] of own) {
      if (declared.has(name)) continue;
      const known = [...declared];
      const pointer = `${at}/${escaped(name)}`;
      this.#problems.push({ at: pointer, kind: "surplus", expected: "absent", found, known });
    }
  }

  #field(field: FieldShape, own: ReadonlyMap<string, unknown>, at: string): void {
    const required = isRequiredIn(field, own);
    for (const name of wireNames(field, this.#reading)) {
      if (!own.has(name) && !required) continue;
      const pointer = `${at}/${escaped(name)}`;
      if (!own.has(name)) {
        const spelling = name === field.name ? {} : { spellingOf: field.name };
        const absent = { at: pointer, kind: "absent", expected: "a value", found: undefined, field } as const;
        this.#problems.push({ ...absent, ...spelling });
        continue;
      }
      const value = own.get(name);
      const before = this.#problems.length;
      this.value(field.shape, value, pointer, field);
      if (this.#problems.length > before) continue;
      if (value === "" && required && this.#reading.direction === "request" && !this.#mayBeEmpty(field))
        this.#problems.push({ at: pointer, kind: "empty", expected: "a value", found: value, field });
    }
  }

  /** Whether the spec itself allows the empty string; otherwise it counts as missing (D-14). */
  #mayBeEmpty(field: FieldShape): boolean {
    const shape = this.#reading.resolve(field.shape);
    return shape.kind !== "string" || shape.lengthMin === 0 || shape.const === "";
  }
}

function isRequiredIn({ presence }: FieldShape, own: ReadonlyMap<string, unknown>): boolean {
  if (presence.kind !== "required-when") return presence.kind === "required";
  return presence.values.some((value) => value === own.get(presence.field));
}

function stringProblems(
  shape: StringShape,
  value: string,
  add: (kind: ProblemKind, expected: string) => void,
): void {
  if ((shape.const ?? value) !== value) add("value", JSON.stringify(shape.const));
  if (shape.lengthMin !== undefined && charactersOf(value) < shape.lengthMin)
    add("length", `at least ${shape.lengthMin} characters`);
  if (shape.lengthMax !== undefined && charactersOf(value) > shape.lengthMax)
    add("length", `at most ${shape.lengthMax} characters`);
  if (shape.format !== undefined && !formatAccepts(shape.format, value))
    add("format", stringFormats[shape.format]);
  if (shape.pattern !== undefined && !new RegExp(shape.pattern, "u").test(value))
    add("pattern", `a match of ${shape.pattern}`);
}

/** The number of characters, as JSON Schema counts them: a pair of surrogates is one. Texts may be long. */
export function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function numberProblems(
  shape: NumberShape,
  value: number,
  add: (kind: ProblemKind, expected: string) => void,
): void {
  const most = shape.kind === "money" ? 999_999_999_999_999 : Infinity;
  const minimum = shape.minimum ?? -most;
  const maximum = shape.maximum ?? most;
  if (!Number.isFinite(value)) add("value", "a finite number");
  if (isWhole(shape) && !Number.isInteger(value)) add("type", "an integer");
  if ((shape.const ?? value) !== value) add("value", String(shape.const));
  if (value < minimum) add("range", `at least ${minimum}`);
  if (value > maximum) add("range", `at most ${maximum}`);
  if (value <= (shape.above ?? -Infinity)) add("range", `more than ${shape.above}`);
  if (value >= (shape.below ?? Infinity)) add("range", `less than ${shape.below}`);
}

export function significantDigits(value: number): number {
  const [mantissa = ""] = Math.abs(value).toExponential().split("e");
  return mantissa.replace(".", "").length;
}

export function isWhole({ kind }: NumberShape): boolean {
  return kind === "integer" || kind === "bigint";
}
