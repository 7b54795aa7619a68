import { formatValue } from "../response/finding.ts";
import { machineOf } from "../suite/methods.ts";
import type { Suite } from "../suite/suite.ts";
import {
  canonicalText,
  type FieldShape,
  isJsonObject,
  memberOf,
  type Reading,
  valueAt,
} from "../values/index.ts";
import { lookupOf, type Model, type Resource, versionOf } from "./model.ts";
import type { Action, ObjectRecord } from "./resource-types.ts";
import type { RuleName } from "./rules.ts";
import type { Sequence } from "./sequence.ts";

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
  for (const field of fields) {
    const part = memberOf(value, field.name);
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

interface Contradiction {
  readonly meaning: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Differences between a record and the expected state of its object. */
function contradictions(state: ExpectedState, record: ExpectedState): readonly Contradiction[] {
  return [...record].flatMap(([meaning, found]) => {
    const expected = state.get(meaning);
    return expected === undefined || expected === found ? [] : [{ meaning, expected, found }];
  });
}

/** The object in a result. */
export function recordOf({ at }: ObjectRecord, result: unknown): unknown {
  return valueAt(result, at);
}

/** Whether a record has the identifiers of an object and the expected values. @throws InvariantViolation */
export function recordFits(
  fields: readonly FieldShape[],
  record: unknown,
  { name, samples, expected }: Pick<Resource, "name" | "samples" | "expected">,
  rule: RuleName,
  sequence: Sequence,
): boolean {
  const own = fields.map(({ name: field, identifies }) => {
    const known = identifies === undefined ? undefined : samples.get(identifies);
    if (known === undefined) return true;
    const found = memberOf(record, field);
    return sequence.check(rule, found === known, `${field} of ${name} to be ${formatValue(known)}`, found);
  });
  const { suite, response } = sequence.context;
  const [first] = contradictions(expected, stateIn(fields, record, suite, response));
  const words = first === undefined ? "" : `${first.meaning} of ${name} to be ${formatValue(first.expected)}`;
  return sequence.check(rule, first === undefined, words, first?.found) && own.every(Boolean);
}

/** Reads an object and holds what comes back against all that is known of it. @throws InvariantViolation */
export async function readBy(
  { method, bases: [base = "minimal"], record }: Action,
  resource: Resource,
  model: Model,
  sequence: Sequence,
): Promise<void> {
  const lookup = lookupOf(resource, sequence.context.lookup);
  const made = await sequence.call({ title: `read ${resource.name}`, method, plan: { base }, lookup });
  const result = sequence.result(resource.blamedRule, made, method);
  if (result === undefined) return;
  resource.isSeen = true;
  if (record === undefined) return;
  const found = recordOf(record, result);
  resource.isSeen = recordFits(record.fields, found, resource, resource.blamedRule, sequence);
  const seen = { text: canonicalText(found), when: versionOf(model, resource) };
  const before = resource.seen.get(method.name);
  if (before?.when === seen.when)
    sequence.check(
      resource.blamedRule,
      before.text === seen.text,
      `${resource.name} as it was: ${before.text}`,
      seen.text,
    );
  resource.seen.set(method.name, seen);
}

/**
 * Reports later differences of an object under this rule. Reads it before, unless it was read: one that differs already
 * says nothing about the rule. @throws InvariantViolation
 */
export async function setBlamedRule(
  rule: RuleName,
  resource: Resource,
  model: Model,
  sequence: Sequence,
): Promise<void> {
  const [reader] = resource.type.readers;
  if (!resource.isSeen && reader !== undefined) await readBy(reader, resource, model, sequence);
  if (resource.isSeen || reader === undefined) resource.blamedRule = rule;
}
