import { namesIn } from "../request/resolve-value.ts";
import type { Edit, RequestPlan } from "../suite/case.ts";
import { machineOf, provesKey, valuesOfEnum } from "../suite/methods.ts";
import { escaped } from "../values/index.ts";
import { type Command, drawn, fieldsOfBase, payloadOf, variation } from "./command.ts";
import { someResource } from "./creating.ts";
import { lookupOf, type Resource } from "./model.ts";
import type { Action, ResourceType } from "./resource-types.ts";
import type { Sequence } from "./sequence.ts";
import { type ExpectedState, recordFits, recordOf, setBlamedRule, stateIn, stateMeaning } from "./state.ts";

/** A change that the interface allows, or one from state to state that it does not. */
export const change: Command = {
  name: "change",
  weight: 6,
  async perform(model, sequence, { pick, value }) {
    const resource = await someResource(model, sequence, { pick, value }, isChangeable);
    const setter = drawn(resource?.type.setters ?? [], value);
    if (resource === undefined || setter === undefined) return;
    const { method, bases, record } = setter;
    const { suite, request } = sequence.context;
    const base = drawn(bases, value >> 2) ?? "minimal";
    const lookup = lookupOf(resource, sequence.context.lookup);
    const isSame = value % 5 === 4;
    const edits = [
      ...variation(method, base, value, model, request),
      ...(isSame ? presentStates(setter, base, resource, sequence) : []),
    ];
    const payload = payloadOf(method, base, edits, lookup);
    if (payload === undefined) return;
    const fields = fieldsOfBase(method, base);
    const expected = stateIn(fields, payload, suite, request);
    const title = `change ${resource.name} with ${method.name}`;
    const mayChange = isAllowed(setter, resource, expected, sequence);
    if (!mayChange) await setBlamedRule("transitions", resource, model, sequence);
    const made = await sequence.call({ title, method, plan: { base, edits }, lookup });
    if (!mayChange) {
      sequence.refused("transitions", made, method, [suite.faults["conflict"] ?? "CONFLICT"]);
      return;
    }
    const movesState = fields.some((field) => machineOf(field, suite) !== undefined);
    const result = sequence.result(movesState ? "transitions" : "changes", made, method);
    if (result === undefined) return;
    for (const [meaning, part] of expected) resource.expected.set(meaning, part);
    resource.changes += 1;
    resource.isSeen = false;
    resource.blamedRule = "reads";
    if (record !== undefined)
      recordFits(record.fields, recordOf(record, result), resource, "changes", sequence);
  },
};

/** Edits that ask for the states in which an object is already. */
function presentStates(
  { method }: Action,
  base: string,
  { expected }: Resource,
  { context }: Sequence,
): readonly Edit[] {
  return fieldsOfBase(method, base).flatMap((field): readonly Edit[] => {
    const machine = machineOf(field, context.suite);
    const state = machine === undefined ? undefined : expected.get(stateMeaning(machine.type));
    const isAskable = valuesOfEnum(field.shape, context.suite).includes(state);
    return !isAskable ? [] : [{ op: "set", at: `/${escaped(field.name)}`, value: state }];
  });
}

/** Whether the state machines let an object go where a payload wants it. */
function isAllowed(
  { method }: Action,
  { expected }: Resource,
  wanted: ExpectedState,
  { context }: Sequence,
): boolean {
  return context.suite.states.every(({ type, transitions }) => {
    const to = wanted.get(stateMeaning(type));
    const own = transitions.filter(({ by }) => by === method.name);
    if (to === undefined || own.length === 0) return true;
    const from = expected.get(stateMeaning(type));
    return own.some((each) => isState(each.from, "any", from) && isState(each.to, "requested", to));
  });
}

function isState(named: string, wildcard: string, found: unknown): boolean {
  return named === wildcard || found === undefined || named === found;
}

/** A request that is refused for what is in it, or for its signature; about an object that is there. */
export const sendInvalid: Command = {
  name: "do wrong",
  weight: 3,
  async perform(model, sequence, { pick, value }) {
    const resource = await someResource(model, sequence, { pick, value }, isChangeable);
    const setter = drawn(resource?.type.setters ?? [], value);
    if (resource === undefined || setter === undefined) return;
    const { method, bases } = setter;
    const lookup = lookupOf(resource, sequence.context.lookup);
    const wrong = sequence.exploration.wrong.get(method.name) ?? [];
    const base = drawn(bases, value >> 2) ?? "minimal";
    const edits = variation(method, base, value >> 1, model, sequence.context.request);
    const forged: RequestPlan = { base, edits, signature: { over: "other" } };
    const each = value % 2 === 1 ? undefined : drawn(wrong, value >> 1);
    // Where no signature is asked for, a wrong one may go unread.
    const plan = each?.request ?? (provesKey(method.transport) ? forged : undefined);
    if (plan === undefined) return;
    if (payloadOf(method, plan.base ?? base, plan.edits ?? [], lookup) === undefined) return;
    const title = `change ${resource.name} wrongly: ${each?.title ?? "signed over something else"}`;
    await setBlamedRule("refusals", resource, model, sequence);
    const made = await sequence.call({ title, method, plan, lookup });
    sequence.refused("refusals", made, method);
  },
};

/** Another caller reads or changes an object of this one. */
export const accessForeign: Command = {
  name: "accessForeign",
  weight: 2,
  async perform(model, sequence, { pick, value }) {
    const resource = await someResource(model, sequence, { pick, value }, isTouchable);
    const { readers = [], setters = [] } = resource?.type ?? {};
    const action = drawn([...readers, ...setters], value);
    const identity = await sequence.exploration.outsider();
    if (resource === undefined || action === undefined || identity === undefined) return;
    const { method, bases } = action;
    const base = drawn(bases, value >> 2) ?? "minimal";
    const lookup = lookupOf(resource, sequence.context.lookup);
    if (payloadOf(method, base, [], lookup) === undefined) return;
    const title = `another caller: ${method.name} of ${resource.name}`;
    await setBlamedRule("invisible", resource, model, sequence);
    const made = await sequence.call({ title, method, plan: { base }, lookup, identity });
    sequence.refused("invisible", made, method, absentCodes(method.bases[base], sequence));
  },
};

function isChangeable({ setters }: ResourceType): boolean {
  return setters.length > 0;
}

function isTouchable({ readers, setters }: ResourceType): boolean {
  return readers.length + setters.length > 0;
}

/** The codes for an absent object, for all objects that a payload names. */
function absentCodes(payload: unknown, { context: { suite } }: Sequence): readonly string[] {
  const names = new Set(namesIn(payload));
  return suite.resources.flatMap(({ absent, samples }) =>
    absent !== undefined && samples.some((sample) => names.has(sample)) ? [absent] : [],
  );
}
