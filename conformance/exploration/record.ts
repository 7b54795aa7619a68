import { shown } from "../response/finding.ts";
import { memberOf } from "../request/access.ts";
import { valueAt } from "../request/edits.ts";
import type { FieldShape } from "../values/index.ts";
import type { ObjectRecord } from "./resource-types.ts";
import type { Thing } from "./model.ts";
import type { RuleName } from "./rules.ts";
import { contradictions, saidIn } from "./expected-state.ts";
import type { Session } from "./sequence.ts";

/** The object in a result. */
export function recordOf({ at }: ObjectRecord, result: unknown): unknown {
  return valueAt(result, at);
}

/** Holds a record against what is known of an object: its identifiers, and what was said of it. @throws Broken */
export function recordProblems(
  fields: readonly FieldShape[],
  record: unknown,
  { name, samples, said }: Pick<Thing, "name" | "samples" | "said">,
  rule: RuleName,
  session: Session,
): void {
  for (const { name: field, identifies } of fields) {
    const known = identifies === undefined ? undefined : samples.get(identifies);
    if (known === undefined) continue;
    const found = memberOf(record, field);
    session.holds(rule, found === known, `${field} of ${name} to be ${shown(known)}`, found);
  }
  const { suite, response } = session.context;
  const [first] = contradictions(said, saidIn(fields, record, suite, response));
  if (first === undefined) session.holds(rule, true, "", "");
  else session.holds(rule, false, `${first.meaning} of ${name} to be ${shown(first.expected)}`, first.found);
}
