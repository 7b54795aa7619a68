import { formatValue } from "../response/finding.ts";
import { memberOf } from "../request/access.ts";
import { valueAt } from "../request/edits.ts";
import type { FieldShape } from "../values/index.ts";
import type { ObjectRecord } from "./resource-types.ts";
import type { Resource } from "./model.ts";
import type { RuleName } from "./rules.ts";
import { contradictions, stateIn } from "./expected-state.ts";
import type { Sequence } from "./sequence.ts";

/** The object in a result. */
export function recordOf({ at }: ObjectRecord, result: unknown): unknown {
  return valueAt(result, at);
}

/** Compares a record with the expected state of an object: its identifiers and values. @throws InvariantViolation */
export function recordProblems(
  fields: readonly FieldShape[],
  record: unknown,
  { name, samples, expected }: Pick<Resource, "name" | "samples" | "expected">,
  rule: RuleName,
  sequence: Sequence,
): void {
  for (const { name: field, identifies } of fields) {
    const known = identifies === undefined ? undefined : samples.get(identifies);
    if (known === undefined) continue;
    const found = memberOf(record, field);
    sequence.check(rule, found === known, `${field} of ${name} to be ${formatValue(known)}`, found);
  }
  const { suite, response } = sequence.context;
  const [first] = contradictions(expected, stateIn(fields, record, suite, response));
  if (first === undefined) sequence.check(rule, true, "", "");
  else
    sequence.check(
      rule,
      false,
      `${first.meaning} of ${name} to be ${formatValue(first.expected)}`,
      first.found,
    );
}
