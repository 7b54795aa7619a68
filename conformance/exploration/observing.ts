import { canonicalText } from "../request/json-text.ts";
import type { Action } from "./resource-types.ts";
import { lookupOf, versionOf, type Model, type Resource } from "./model.ts";
import { recordOf, recordProblems } from "./record.ts";
import type { RuleName } from "./rules.ts";
import type { Sequence } from "./sequence.ts";

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
  if (result === undefined || record === undefined) return;
  const found = recordOf(record, result);
  recordProblems(record.fields, found, resource, resource.blamedRule, sequence);
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
  resource.isSeen = true;
}

/**
 * Reports later differences of an object under this rule. Reads it before, unless it was read, so that earlier
 * differences are not counted. @throws InvariantViolation
 */
export async function setBlamedRule(
  rule: RuleName,
  resource: Resource,
  model: Model,
  sequence: Sequence,
): Promise<void> {
  const [reader] = resource.type.readers;
  if (!resource.isSeen && reader !== undefined) await readBy(reader, resource, model, sequence);
  resource.blamedRule = rule;
}
