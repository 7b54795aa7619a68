import { canonicalText } from "../request/json-text.ts";
import type { Action } from "./resource-types.ts";
import { lookupOf, versionOf, type Model, type Thing } from "./model.ts";
import { recordOf, recordProblems } from "./record.ts";
import type { RuleName } from "./rules.ts";
import type { Session } from "./sequence.ts";

/** Reads an object and holds what comes back against all that is known of it. @throws Broken */
export async function readBy(
  { method, bases: [base = "minimal"], record }: Action,
  thing: Thing,
  model: Model,
  session: Session,
): Promise<void> {
  const lookup = lookupOf(thing, session.context.lookup);
  const made = await session.call({ title: `read ${thing.name}`, method, plan: { base }, lookup });
  const result = session.result(thing.suspect, made, method);
  if (result === undefined || record === undefined) return;
  const found = recordOf(record, result);
  recordProblems(record.fields, found, thing, thing.suspect, session);
  const seen = { text: canonicalText(found), when: versionOf(model, thing) };
  const before = thing.seen.get(method.name);
  if (before?.when === seen.when)
    session.holds(
      thing.suspect,
      before.text === seen.text,
      `${thing.name} as it was: ${before.text}`,
      seen.text,
    );
  thing.seen.set(method.name, seen);
  thing.isSeen = true;
}

/**
 * From now on a rule is to blame if an object is not as it should be. It is read before, unless it was, so that nothing
 * earlier is taken for it. @throws Broken
 */
export async function suspect(rule: RuleName, thing: Thing, model: Model, session: Session): Promise<void> {
  const [reader] = thing.kind.readers;
  if (!thing.isSeen && reader !== undefined) await readBy(reader, thing, model, session);
  thing.suspect = rule;
}
