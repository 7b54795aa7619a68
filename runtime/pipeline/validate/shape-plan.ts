import type { FieldShape, ObjectShape } from "../../contract/index.ts";
import { foldName } from "../decode/index.ts";
import { oncePer } from "../../contract/once-per.ts";
import { memberPointer } from "./field-fault.ts";

/** An object shape, prepared for looking names up. */
export interface ShapePlan {
  /** By canonical name, by every other spelling, and by the folded form of each (D-11). */
  readonly byName: ReadonlyMap<string, PlannedField>;
  /** Whether an amount lies anywhere inside. */
  readonly hasMoney: boolean;
}

export interface PlannedField {
  readonly name: string;
  /** A pointer to it from the object that has it. */
  readonly pointer: string;
  /** Place in the document. */
  readonly order: number;
  readonly money: boolean;
  /** Of the value, or of the items of an array. Resolved late, because types may recurse. */
  readonly plan: () => ShapePlan | undefined;
}

export const planOf = oncePer((shape: ObjectShape): ShapePlan => ({
  byName: new Map(shape.fields.flatMap(spellingsOf)),
  hasMoney: containsMoney(shape, new Set()),
}));

function spellingsOf(field: FieldShape, order: number): readonly (readonly [string, PlannedField])[] {
  const { name, spellings = [], money = false, shape } = field;
  const plan = () => (shape === undefined ? undefined : planOf(shape()));
  const planned = { name, pointer: memberPointer("", name), order, money, plan };
  return [name, ...spellings].flatMap((spelling) => [
    [spelling, planned] as const,
    [foldName(spelling), planned] as const,
  ]);
}

function containsMoney(shape: ObjectShape, seen: Set<ObjectShape>): boolean {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return shape.fields.some(
    ({ money, shape: inner }) => money === true || (inner !== undefined && containsMoney(inner(), seen)),
  );
}
