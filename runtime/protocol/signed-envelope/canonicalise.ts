import {
  decimal,
  type FieldShape,
  type JsonObject,
  type JsonValue,
  type ObjectShape,
} from "../../contract/index.ts";
import { foldName, isObject } from "./decode.ts";
import { oncePer } from "../../contract/once-per.ts";
import { isTooPrecise } from "../../json/exact-decimal.ts";

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
