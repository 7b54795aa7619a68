import { isJsonObject, type FieldShape, type Reading } from "../values/index.ts";
import type { Suite } from "../suite/suite.ts";
import { machineOf } from "../suite/machine-of.ts";

/** The expected state of an object, by the meaning of a field, which several spellings share. */
export type ExpectedState = ReadonlyMap<string, unknown>;

/** The values in a payload or record that other messages repeat. */
export function stateIn(
  fields: readonly FieldShape[],
  value: unknown,
  suite: Suite,
  reading: Reading,
  prefix = "",
): ExpectedState {
  const expected = new Map<string, unknown>();
  if (!isJsonObject(value)) return expected;
  const own = new Map<string, unknown>(Object.entries(value));
  for (const field of fields) {
    const part = own.get(field.name);
    if (part === undefined || field.identifies !== undefined) continue;
    const shape = reading.resolve(field.shape);
    const meaning = prefix + meaningOf(field, suite);
    if (shape.kind === "object")
      for (const [name, inner] of stateIn(shape.fields, part, suite, reading, `${meaning}.`))
        expected.set(name, inner);
    else if (shape.kind !== "array") expected.set(meaning, part);
  }
  return expected;
}

/** Fields of one state machine mean the same; so do those of one name, whatever its case. */
export function meaningOf(field: FieldShape, suite: Suite): string {
  const machine = machineOf(field, suite);
  return machine === undefined ? field.name.toLowerCase() : stateMeaning(machine.type);
}

export function stateMeaning(type: string): string {
  return `state ${type}`;
}

export interface Contradiction {
  readonly meaning: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Differences between a record and the expected state of its object. */
export function contradictions(state: ExpectedState, record: ExpectedState): readonly Contradiction[] {
  return [...record].flatMap(([meaning, found]) => {
    const expected = state.get(meaning);
    return expected === undefined || expected === found ? [] : [{ meaning, expected, found }];
  });
}
