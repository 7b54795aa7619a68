import { canonicalText } from "../request/json-text.ts";
import { valueAt } from "../request/edits.ts";
import { valuesOf } from "../scenario/run-scenario.ts";
import { drawn, payloadOf, type Deed, type Draw } from "./command.ts";
import type { Action, Kind } from "./resource-types.ts";
import { newThing, nextName, thingsOf, type Model, type Thing } from "./model.ts";
import { suspect } from "./observing.ts";
import { recordOf, recordProblems } from "./record.ts";
import { saidIn, stateMeaning, type Said } from "./expected-state.ts";
import type { Session } from "./sequence.ts";
import { fieldsOfBase, variation } from "./vary.ts";

/** Makes an object: by the interface where it can, else by the operator. */
export const create: Deed = {
  name: "create",
  weight: 5,
  async perform(model, session, { pick, value }) {
    const kind = drawn(makeable(session), pick);
    if (kind !== undefined) await make(kind, model, session, value);
  },
};

/** An object of a kind that will do, made where there is none yet; undefined where none can be made. @throws Broken */
export async function someThing(
  model: Model,
  session: Session,
  { pick, value }: Draw,
  willDo: (kind: Kind) => boolean,
): Promise<Thing | undefined> {
  const kinds = makeable(session).filter(willDo);
  const kind = drawn(kinds, pick);
  if (kind === undefined) return undefined;
  if (thingsOf(model, kind).length === 0) await make(kind, model, session, value);
  return drawn(thingsOf(model, kind), Math.floor(pick / kinds.length));
}

async function make(kind: Kind, model: Model, session: Session, value: number): Promise<void> {
  if (kind.creator === undefined) await makeByOperator(kind, model, session);
  else await createBy(kind, kind.creator, model, session, value);
}

/** The same creation, byte for byte. */
export const repeat: Deed = {
  name: "repeat",
  weight: 2,
  async perform(model, session, { pick, value }) {
    if (!promisesRepetition(session)) return;
    const thing = await someThing(model, session, { pick, value }, isCreatable);
    if (thing?.origin === undefined) return;
    const { wire, method, result: first } = thing.origin;
    await suspect("repeats", thing, model, session);
    const again = await session.again(`repeat the creation of ${thing.name}`, wire);
    const result = session.result("repeats", again, method);
    if (result === undefined) return;
    const [expected, found] = [canonicalText(first), canonicalText(result)];
    session.holds("repeats", expected === found, `the answer that it got first, ${expected}`, found);
  },
};

/** Another creation under a request id that was used before: a new request, or refused. */
export const createUnderSameId: Deed = {
  name: "create under the same id",
  weight: 1,
  async perform(model, session, { pick, value }) {
    if (!promisesRepetition(session)) return;
    const other = await someThing(model, session, { pick, value }, isCreatable);
    const id = other?.origin?.wire.id;
    if (other?.kind.creator !== undefined && id !== undefined)
      await createBy(other.kind, other.kind.creator, model, session, value, id);
  },
};

/** @throws Broken */
async function createBy(
  kind: Kind,
  { method, bases, record }: Action,
  model: Model,
  session: Session,
  value: number,
  id?: string,
): Promise<void> {
  const { suite, request, lookup } = session.context;
  const base = drawn(bases, value) ?? "minimal";
  const edits = variation(method, base, value, model, request);
  const payload = payloadOf(method, base, edits, lookup);
  if (payload === undefined) return;
  const rule = id === undefined ? "creates" : "repeats";
  const name = nextName(kind, model);
  const made = await session.call({
    title: id === undefined ? `create ${name}` : `create ${name} under the request id of another`,
    method,
    plan: { base, edits },
    ...(id === undefined ? {} : { id }),
  });
  if (id !== undefined && made.answer.error?.code === suite.faults["conflict"]) return;
  const result = session.result(rule, made, method);
  if (result === undefined) return;
  const said = saidIn(fieldsOfBase(method, base), payload, suite, request);
  const samples = Object.entries(kind.resource.created?.gives ?? {});
  const thing: Thing = {
    ...newThing(kind, model),
    samples: new Map(samples.map(([sample, at]) => [sample, valueAt(result, at)])),
    said: new Map([...said, ...firstStates(method.name, session)]),
    origin: { wire: made.wire, method, result },
  };
  for (const [sample, given] of thing.samples) {
    session.holds("creates", given !== undefined && given !== "", `${sample} of the new object`, given);
    const twin = thingsOf(model, kind).find((other) => other.samples.get(sample) === given);
    session.holds(rule, twin === undefined, `a new ${sample}`, `${String(given)}, as ${twin?.name} has`);
  }
  if (record !== undefined) recordProblems(record.fields, recordOf(record, result), thing, rule, session);
  model.things.push(thing);
}

/** The states in which a method makes things; at the level of the document those that it leaves to nobody. */
function firstStates(method: string, { context: { suite, level } }: Session): Said {
  return new Map(
    suite.states.flatMap(({ type, transitions, decisions }) => {
      if (level === "document" && decisions.length > 0) return [];
      const first = transitions.find(({ from, by }) => from === "none" && by === method);
      return first === undefined || first.to === "requested" ? [] : [[stateMeaning(type), first.to] as const];
    }),
  );
}

async function makeByOperator(kind: Kind, model: Model, session: Session): Promise<void> {
  const { made } = kind.resource;
  if (made === undefined) return;
  const given = await valuesOf(made.steps, made.gives, session.expedition.world, session.context.lookup);
  if (given === undefined) return;
  const thing: Thing = { ...newThing(kind, model), samples: new Map(given) };
  session.note(`the operator makes ${thing.name}`);
  model.things.push(thing);
}

/** Kinds of which a sequence can make one; what has to wait for a mail or an event is left to scenarios. */
function makeable({ expedition: { kinds, world } }: Session): readonly Kind[] {
  return kinds.filter(({ creator, resource: { made } }) => {
    if (creator !== undefined) return true;
    if (made === undefined || world.operator === undefined) return false;
    return made.steps.every(({ mail, receiver }) => mail === undefined && receiver === undefined);
  });
}

function isCreatable({ creator }: Kind): boolean {
  return creator !== undefined;
}

/** Whether the spec says what becomes of a creation that is sent again. */
function promisesRepetition({ context: { suite } }: Session): boolean {
  return suite.rules["repetition"] !== undefined;
}
