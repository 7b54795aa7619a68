import type { Edit, RequestPlan } from "../suite/case.ts";
import { namesIn } from "../request/resolve-value.ts";
import { someThing } from "./creating.ts";
import { drawn, payloadOf, type Deed } from "./command.ts";
import { machineOf, type Action, type Kind } from "./resource-types.ts";
import { lookupOf, type Thing } from "./model.ts";
import { suspect } from "./observing.ts";
import { recordOf, recordProblems } from "./record.ts";
import { saidIn, stateMeaning, type Said } from "./expected-state.ts";
import type { Session } from "./sequence.ts";
import { fieldsOfBase, variation } from "./vary.ts";

/** A change that the interface allows, or one from state to state that it does not. */
export const change: Deed = {
  name: "change",
  weight: 6,
  async perform(model, session, { pick, value }) {
    const thing = await someThing(model, session, { pick, value }, isChangeable);
    const setter = drawn(thing?.kind.setters ?? [], value);
    if (thing === undefined || setter === undefined) return;
    const { method, bases, record } = setter;
    const { suite, request } = session.context;
    const base = drawn(bases, value >> 2) ?? "minimal";
    const lookup = lookupOf(thing, session.context.lookup);
    const isSame = value % 5 === 4;
    const edits = [
      ...variation(method, base, value, model, request),
      ...(isSame ? presentStates(setter, base, thing, session) : []),
    ];
    const payload = payloadOf(method, base, edits, lookup);
    if (payload === undefined) return;
    const fields = fieldsOfBase(method, base);
    const said = saidIn(fields, payload, suite, request);
    const title = `change ${thing.name} with ${method.name}`;
    const mayChange = isAllowed(setter, thing, said, session);
    if (!mayChange) await suspect("transitions", thing, model, session);
    const made = await session.call({ title, method, plan: { base, edits }, lookup });
    if (!mayChange) {
      session.refused("transitions", made, method, [suite.faults["conflict"] ?? "CONFLICT"]);
      return;
    }
    const movesState = fields.some((field) => machineOf(field, suite) !== undefined);
    const result = session.result(movesState ? "transitions" : "changes", made, method);
    if (result === undefined) return;
    for (const [meaning, part] of said) thing.said.set(meaning, part);
    thing.changes += 1;
    thing.isSeen = false;
    thing.suspect = "reads";
    if (record !== undefined)
      recordProblems(record.fields, recordOf(record, result), thing, "changes", session);
  },
};

/** Edits that ask for the states in which an object is already. */
function presentStates(
  { method }: Action,
  base: string,
  { said }: Thing,
  { context }: Session,
): readonly Edit[] {
  return fieldsOfBase(method, base).flatMap((field): readonly Edit[] => {
    const machine = machineOf(field, context.suite);
    const state = machine === undefined ? undefined : said.get(stateMeaning(machine.type));
    return state === undefined ? [] : [{ op: "set", at: `/${field.name}`, value: state }];
  });
}

/** Whether the state machines let an object go where a payload wants it. */
function isAllowed({ method }: Action, { said }: Thing, wanted: Said, { context }: Session): boolean {
  return context.suite.states.every(({ type, transitions }) => {
    const to = wanted.get(stateMeaning(type));
    const own = transitions.filter(({ by }) => by === method.name);
    if (to === undefined || own.length === 0) return true;
    const from = said.get(stateMeaning(type));
    return own.some((each) => isState(each.from, "any", from) && isState(each.to, "requested", to));
  });
}

function isState(named: string, wildcard: string, found: unknown): boolean {
  return named === wildcard || found === undefined || named === found;
}

/** A request that is refused for what is in it, or for its signature; about an object that is there. */
export const doWrong: Deed = {
  name: "do wrong",
  weight: 3,
  async perform(model, session, { pick, value }) {
    const thing = await someThing(model, session, { pick, value }, isChangeable);
    const setter = drawn(thing?.kind.setters ?? [], value);
    if (thing === undefined || setter === undefined) return;
    const { method, bases } = setter;
    const lookup = lookupOf(thing, session.context.lookup);
    const wrong = session.expedition.wrong.get(method.name) ?? [];
    const base = drawn(bases, value >> 2) ?? "minimal";
    const edits = variation(method, base, value >> 1, model, session.context.request);
    const forged: RequestPlan = { base, edits, signature: { over: "other" } };
    const each = value % 2 === 1 ? undefined : drawn(wrong, value >> 1);
    const plan = each?.request ?? forged;
    if (payloadOf(method, plan.base ?? base, plan.edits ?? [], lookup) === undefined) return;
    const title = `change ${thing.name} wrongly: ${each?.title ?? "signed over something else"}`;
    await suspect("refusals", thing, model, session);
    const made = await session.call({ title, method, plan, lookup });
    session.refused("refusals", made, method);
  },
};

/** Somebody else reads or changes what is not theirs. */
export const trespass: Deed = {
  name: "trespass",
  weight: 2,
  async perform(model, session, { pick, value }) {
    const thing = await someThing(model, session, { pick, value }, isTouchable);
    const { readers = [], setters = [] } = thing?.kind ?? {};
    const action = drawn([...readers, ...setters], value);
    const identity = await session.expedition.outsider();
    if (thing === undefined || action === undefined || identity === undefined) return;
    const { method, bases } = action;
    const base = drawn(bases, value >> 2) ?? "minimal";
    const lookup = lookupOf(thing, session.context.lookup);
    if (payloadOf(method, base, [], lookup) === undefined) return;
    const title = `another caller: ${method.name} of ${thing.name}`;
    await suspect("invisible", thing, model, session);
    const made = await session.call({ title, method, plan: { base }, lookup, identity });
    session.refused("invisible", made, method, absentCodes(method.bases[base], session));
  },
};

function isChangeable({ setters }: Kind): boolean {
  return setters.length > 0;
}

function isTouchable({ readers, setters }: Kind): boolean {
  return readers.length + setters.length > 0;
}

/** What is answered where any object that a payload names is not there. */
function absentCodes(payload: unknown, { context: { suite } }: Session): readonly string[] {
  const names = new Set(namesIn(payload));
  return suite.resources.flatMap(({ absent, samples }) =>
    absent !== undefined && samples.some((sample) => names.has(sample)) ? [absent] : [],
  );
}
