import {
  type JsonObject,
  type JsonValue,
  type MethodDescriptor,
  type ObjectShape,
  omitUndefined,
  type ValidationError,
  decimal,
  type FieldShape,
} from "../../contract/index.ts";
import { numberTexts, isTooPrecise } from "../../json/exact-decimal.ts";
import { refuse, type Refused } from "../port.ts";
import type { Envelope } from "./envelope.ts";
import { foldName, isObject } from "./decode.ts";
import { oncePer } from "../../contract/values.ts";

const furtherErrorsMax = 20;

/** Reads a payload: names, nulls and unknown fields, then the generated validator, then the digits of exact numbers. */
export function readPayload(
  method: MethodDescriptor,
  { payload: sent, payloadBytes }: Pick<Envelope, "payload" | "payloadBytes">,
  rejectUnknown: boolean,
): { readonly kind: "valid"; readonly payload: object } | Refused {
  const plan = planOf(method.payload);
  const lexemes = plan.hasExact ? numberTexts(payloadBytes.toString("utf8")) : undefined;
  const { payload, faults, numbers } = canonicalise(sent, lexemes, plan, rejectUnknown);
  const fits = method.validate(payload);
  faults.push(...digitFaults(numbers));
  if (!fits) faults.push(...schemaFaults(method.validate.errors ?? []));
  if (!fits || faults.length > 0) return refusedPayload(faults, method.payload);
  placeDecimals(numbers);
  return { kind: "valid", payload };
}

/** The refusal of a payload: its first failing field in document order, and the rest (D-05). */
export function refusedPayload(faults: readonly FieldFault[], shape: ObjectShape): Refused {
  const plan = planOf(shape);
  const [first = { pointer: "", reason: "schema" }, ...further] = inDocumentOrder(faults, plan);
  const { pointer: field, reason } = first;
  const errors: JsonValue[] = further
    .slice(0, furtherErrorsMax)
    .map(({ pointer, reason }) => ({ field: pointer, reason }));
  return refuse(
    "invalidParams",
    omitUndefined({ field, reason, data: errors.length === 0 ? undefined : { errors } }),
  );
}

/** Reads JSON that the service itself has written: canonical names, exact numbers as decimals, no undeclared members. */
export function readByShape(text: string, shape: ObjectShape): object {
  const plan = planOf(shape);
  const written: JsonObject = JSON.parse(text);
  const lexemes = plan.hasExact ? numberTexts(text) : undefined;
  const { payload, numbers } = canonicalise(written, lexemes, plan, false);
  placeDecimals(numbers);
  return payload;
}

/** The fields that a payload needs and lacks, each as the names that lead to it, in document order. */
export function missingFields(method: MethodDescriptor, written: JsonObject): readonly (readonly string[])[] {
  const plan = planOf(method.payload);
  const { payload } = canonicalise(written, undefined, plan, false);
  if (method.validate(payload)) return [];
  return inDocumentOrder(schemaFaults(method.validate.errors ?? []), plan)
    .filter(({ reason }) => reason === "missing")
    .map(({ pointer }) => pointerNames(pointer));
}

/** A member that its object does not have. */
interface UnknownField {
  /** The names and indices that lead to it. */
  readonly path: readonly string[];
  /** The names that its object has. */
  readonly known: readonly string[];
}

/** The members of a payload that the interface does not know, at any depth; names match whatever their case (D-11). */
export function unknownFields(method: MethodDescriptor, written: JsonObject): readonly UnknownField[] {
  return unknownIn(written, planOf(method.payload), []);
}

function unknownIn(object: JsonObject, plan: ShapePlan, path: readonly string[]): readonly UnknownField[] {
  const known = [...new Set([...plan.byName.values()].map(({ name }) => name))];
  return Object.entries(object).flatMap(([key, value]) => {
    const field = plan.byName.get(key) ?? plan.byName.get(foldName(key));
    const at = [...path, key];
    if (field === undefined) return [{ path: at, known }];
    const inner = field.plan();
    return inner === undefined ? [] : unknownBelow(value, inner, at);
  });
}

function unknownBelow(
  value: JsonValue | undefined,
  plan: ShapePlan,
  path: readonly string[],
): readonly UnknownField[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownBelow(item, plan, [...path, String(index)]));
  return isObject(value) ? unknownIn(value, plan, path) : [];
}

/** Keywords whose own errors say nothing that those of their parts do not. */
const composites: ReadonlySet<string> = new Set(["if", "anyOf", "allOf"]);

/** A validator's errors as faults of fields. */
export function schemaFaults(errors: readonly ValidationError[]): readonly FieldFault[] {
  return errors.flatMap((error) => {
    const { keyword, instancePath, params } = error;
    if (composites.has(keyword) && errors.length > 1) return [];
    const missing = params["missingProperty"];
    if (keyword === "required" && typeof missing === "string") {
      return [{ pointer: memberPointer(instancePath, missing), reason: "missing" }];
    }
    return [{ pointer: instancePath, reason: reasonOf(error) }];
  });
}

/** An empty string counts as missing where the field is required (D-14). */
function reasonOf({ keyword, params }: ValidationError): string {
  return keyword === "minLength" && params["limit"] === 1 ? "missing" : keyword;
}

/** The faults in document order, one for each field: the first found of it (D-05). */
export function inDocumentOrder(faults: readonly FieldFault[], plan: ShapePlan): readonly FieldFault[] {
  const byPointer = new Map<string, FieldFault>();
  for (const fault of faults) if (!byPointer.has(fault.pointer)) byPointer.set(fault.pointer, fault);
  return [...byPointer.values()]
    .map((fault) => ({ fault, place: placeOf(fault.pointer, plan) }))
    .toSorted((a, b) => comparePlaces(a.place, b.place))
    .map(({ fault }) => fault);
}

/** The documented name of the field that a pointer leads to: the last of its names that is no array index. */
export function documentedName(pointer: string): string | undefined {
  return pointerNames(pointer).findLast((name) => !/^[0-9]+$/.test(name));
}

/** Where a pointer leads, as the places of its fields and items; unknown fields come last. */
function placeOf(pointer: string, root: ShapePlan): readonly number[] {
  let plan: ShapePlan | undefined = root;
  return pointerNames(pointer).map((name) => {
    if (/^[0-9]+$/.test(name)) return Number(name);
    const field = plan?.byName.get(name);
    plan = field?.plan();
    return field?.order ?? Number.MAX_SAFE_INTEGER;
  });
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (const [index, place] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (place !== other) return place - other;
  }
  return a.length - b.length;
}

/** A payload in canonical names, and what was wrong with the names and nulls in it. */
interface Canonical {
  readonly payload: MutableObject;
  readonly faults: FieldFault[];
  /** Every exact number, where it stands and how it was written. */
  readonly numbers: ExactNumber[];
}

interface ExactNumber {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly pointer: string;
  readonly lexeme: string;
}

type MutableObject = Record<string, unknown>;

interface Walk {
  readonly faults: FieldFault[];
  readonly numbers: ExactNumber[];
  readonly rejectUnknown: boolean;
}

/**
 * Rewrites a payload by its shape: names become canonical (D-11), unknown members are dropped or faulted (D-13),
 * nulls are faulted (D-14). `lexemes` is the same payload with every number as the text it was written in.
 */
export function canonicalise(
  payload: JsonObject,
  lexemes: unknown,
  plan: ShapePlan,
  rejectUnknown: boolean,
): Canonical {
  const walk: Walk = { faults: [], numbers: [], rejectUnknown };
  return { payload: canonicalObject(payload, lexemes, plan, "", walk), ...walk };
}

function canonicalObject(
  object: JsonObject,
  lexemes: unknown,
  plan: ShapePlan,
  pointer: string,
  walk: Walk,
): MutableObject {
  const result: MutableObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const field = plan.byName.get(key) ?? plan.byName.get(foldName(key));
    if (field === undefined) {
      if (walk.rejectUnknown)
        walk.faults.push({ pointer: memberPointer(pointer, key), reason: "unknown-field" });
      continue;
    }
    const at = pointer + field.pointer;
    if (Object.hasOwn(result, field.name)) walk.faults.push({ pointer: at, reason: "two-spellings" });
    if (value === null) walk.faults.push({ pointer: at, reason: "null" });
    result[field.name] = canonicalValue(value, memberOf(lexemes, key), field, at, walk);
    if (field.exact) noteNumbers(result, field.name, memberOf(lexemes, key), at, walk);
  }
  return result;
}

function canonicalValue(
  value: JsonValue,
  lexemes: unknown,
  field: PlannedField,
  pointer: string,
  walk: Walk,
): unknown {
  const plan = field.plan();
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    if (plan === undefined) return [...items];
    return items.map((item, index) =>
      isObject(item)
        ? canonicalObject(item, memberOf(lexemes, index), plan, memberPointer(pointer, index), walk)
        : item,
    );
  }
  return plan !== undefined && isObject(value) ? canonicalObject(value, lexemes, plan, pointer, walk) : value;
}

function noteNumbers(
  holder: Record<string | number, unknown>,
  key: string | number,
  lexeme: unknown,
  pointer: string,
  walk: Walk,
): void {
  const value = holder[key];
  if (typeof value === "number" && typeof lexeme === "string") {
    walk.numbers.push({ holder, key, pointer, lexeme });
  }
}

function memberOf(tree: unknown, key: string | number): unknown {
  return typeof tree === "object" && tree !== null ? Reflect.get(tree, key) : undefined;
}

/** An object shape, prepared for looking names up. */
export interface ShapePlan {
  /** By canonical name, by every other spelling, and by the folded form of each (D-11). */
  readonly byName: ReadonlyMap<string, PlannedField>;
  /** Whether an exact number lies anywhere inside. */
  readonly hasExact: boolean;
}

interface PlannedField {
  readonly name: string;
  /** A pointer to it from the object that has it. */
  readonly pointer: string;
  /** Place in the document. */
  readonly order: number;
  readonly exact: boolean;
  /** The plan of the value, or of the items of an array. Resolved late, because types may recurse. */
  readonly plan: () => ShapePlan | undefined;
}

export const planOf = oncePer((shape: ObjectShape): ShapePlan => ({
  byName: new Map(shape.fields.flatMap(spellingsOf)),
  hasExact: containsExact(shape, new Set()),
}));

function spellingsOf(field: FieldShape, order: number): readonly (readonly [string, PlannedField])[] {
  const { name, spellings = [], exact = false, shape } = field;
  const plan = () => (shape === undefined ? undefined : planOf(shape()));
  const planned = { name, pointer: memberPointer("", name), order, exact, plan };
  return [name, ...spellings].flatMap((spelling) => [
    [spelling, planned] as const,
    [foldName(spelling), planned] as const,
  ]);
}

function containsExact(shape: ObjectShape, seen: Set<ObjectShape>): boolean {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return shape.fields.some(
    ({ exact, shape: inner }) => exact === true || (inner !== undefined && containsExact(inner(), seen)),
  );
}

/** The numbers with more digits than every JSON reader keeps (D-37). */
export function digitFaults(numbers: readonly ExactNumber[]): readonly FieldFault[] {
  return numbers.flatMap(({ pointer, lexeme }) =>
    isTooPrecise(lexeme) ? [{ pointer, reason: "digits" }] : [],
  );
}

/** Puts every exact number in its place as a `Decimal`. */
export function placeDecimals(numbers: readonly ExactNumber[]): void {
  for (const { holder, key, lexeme } of numbers) holder[key] = decimal(lexeme);
}

/** A fault of one field of a payload. */
export interface FieldFault {
  /** JSON Pointer in canonical names. */
  readonly pointer: string;
  /** A machine word: `missing`, `null`, `unknown-field`, `two-spellings`, `digits`, or the JSON Schema keyword. */
  readonly reason: string;
}

/** A pointer to a member of what `pointer` points to (RFC 6901). */
export function memberPointer(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The names along a pointer. */
export function pointerNames(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
