import { omitUndefined } from "../base/omit-undefined.ts";
import { valuesOf } from "../scenario/run-scenario.ts";
import { requiredLacking } from "../session/capabilities.ts";
import { canonicalText, valueAt } from "../values/index.ts";
import { type Command, type Draw, drawn, fieldsOfBase, payloadOf, variation } from "./command.ts";
import { type Model, newResource, nextName, type Resource, resourcesOf } from "./model.ts";
import type { Action, ResourceType } from "./resource-types.ts";
import type { Sequence } from "./sequence.ts";
import { type ExpectedState, recordFits, recordOf, setBlamedRule, stateIn, stateMeaning } from "./state.ts";

/** Makes an object: by the interface where it can, else by the operator. */
export const create: Command = {
  name: "create",
  weight: 5,
  async perform(model, sequence, { pick, value }) {
    const kind = drawn(makeable(sequence), pick);
    if (kind !== undefined) await make(kind, model, sequence, value);
  },
};

/**
 * An object of a suitable kind, created if none exists yet; undefined if none can be created. @throws
 * InvariantViolation
 */
export async function someResource(
  model: Model,
  sequence: Sequence,
  { pick, value }: Draw,
  willDo: (kind: ResourceType) => boolean,
): Promise<Resource | undefined> {
  const kinds = makeable(sequence).filter(willDo);
  const kind = drawn(kinds, pick);
  if (kind === undefined) return undefined;
  if (resourcesOf(model, kind).length === 0) await make(kind, model, sequence, value);
  return drawn(resourcesOf(model, kind), Math.floor(pick / kinds.length));
}

async function make(kind: ResourceType, model: Model, sequence: Sequence, value: number): Promise<void> {
  if (kind.creator === undefined) await makeByOperator(kind, model, sequence);
  else await createBy(kind, kind.creator, model, sequence, value);
}

/** The same creation, byte for byte. */
export const repeat: Command = {
  name: "repeat",
  weight: 2,
  async perform(model, sequence, { pick, value }) {
    if (!promisesRepetition(sequence)) return;
    const resource = await someResource(model, sequence, { pick, value }, isCreatable);
    if (resource?.origin === undefined) return;
    const { wire, method, result: first } = resource.origin;
    await setBlamedRule("repeats", resource, model, sequence);
    const again = await sequence.repeat(`repeat the creation of ${resource.name}`, wire);
    const result = sequence.result("repeats", again, method);
    if (result === undefined) return;
    const [expected, found] = [canonicalText(first), canonicalText(result)];
    sequence.check("repeats", expected === found, `the answer that it got first, ${expected}`, found);
  },
};

/** Another creation under a request id that was used before: a new request, or refused. */
export const createUnderSameId: Command = {
  name: "create under the same id",
  weight: 1,
  async perform(model, sequence, { pick, value }) {
    if (!promisesRepetition(sequence)) return;
    const other = await someResource(model, sequence, { pick, value }, isCreatable);
    const id = other?.origin?.wire.id;
    if (other?.type.creator !== undefined && id !== undefined)
      await createBy(other.type, other.type.creator, model, sequence, value, id);
  },
};

/** @throws InvariantViolation */
async function createBy(
  kind: ResourceType,
  { method, bases, record }: Action,
  model: Model,
  sequence: Sequence,
  value: number,
  id?: string,
): Promise<void> {
  const { suite, request, lookup } = sequence.context;
  const base = drawn(bases, value) ?? "minimal";
  const edits = variation(method, base, value, model, request);
  const payload = payloadOf(method, base, edits, lookup);
  if (payload === undefined || requiredLacking(payload, method, sequence.context.claims) !== undefined)
    return;
  const rule = id === undefined ? "creates" : "repeats";
  const name = nextName(kind, model);
  const made = await sequence.call(
    omitUndefined({
      title: id === undefined ? `create ${name}` : `create ${name} under the request id of another`,
      method,
      plan: { base, edits },
      id,
    }),
  );
  if (id !== undefined && made.answer.error?.code === suite.faults["conflict"]) return;
  const result = sequence.result(rule, made, method);
  if (result === undefined) return;
  const expected = stateIn(fieldsOfBase(method, base), payload, suite, request);
  const samples = Object.entries(kind.entry.created?.gives ?? {});
  const resource: Resource = {
    ...newResource(kind, model),
    samples: new Map(samples.map(([sample, at]) => [sample, valueAt(result, at)])),
    expected: new Map([...expected, ...firstStates(method.name, sequence)]),
    origin: { wire: made.wire, method, result },
  };
  for (const [sample, given] of resource.samples) {
    sequence.check("creates", given !== undefined && given !== "", `${sample} of the new object`, given);
    const sameValued = resourcesOf(model, kind).find((other) => other.samples.get(sample) === given);
    sequence.check(
      rule,
      sameValued === undefined,
      `a new ${sample}`,
      `${String(given)}, as ${sameValued?.name} has`,
    );
  }
  if (record !== undefined) recordFits(record.fields, recordOf(record, result), resource, rule, sequence);
  model.resources.push(resource);
}

/** The states in which a method creates objects; at the level `document`, only those that the document decides. */
function firstStates(method: string, { context: { suite, level } }: Sequence): ExpectedState {
  return new Map(
    suite.states.flatMap(({ type, transitions, decisions }) => {
      if (level === "document" && decisions.length > 0) return [];
      const first = transitions.find(({ from, by }) => from === "none" && by === method);
      return first === undefined || first.to === "requested" ? [] : [[stateMeaning(type), first.to] as const];
    }),
  );
}

async function makeByOperator(kind: ResourceType, model: Model, sequence: Sequence): Promise<void> {
  const { made } = kind.entry;
  if (made === undefined) return;
  const given = await valuesOf(
    made.steps,
    made.gives,
    sequence.exploration.environment,
    sequence.context.lookup,
  );
  if (given === undefined) return;
  const resource: Resource = { ...newResource(kind, model), samples: new Map(given) };
  sequence.note(`the operator makes ${resource.name}`);
  model.resources.push(resource);
}

/** Kinds of which a sequence can make one; what has to wait for a mail or an event is left to scenarios. */
function makeable({ exploration: { types, environment } }: Sequence): readonly ResourceType[] {
  return types.filter(({ creator, entry: { made } }) => {
    if (creator !== undefined) return true;
    if (made === undefined || environment.operator === undefined) return false;
    return made.steps.every(({ kind }) => kind !== "mail" && kind !== "receiver");
  });
}

function isCreatable({ creator }: ResourceType): boolean {
  return creator !== undefined;
}

/** Whether the spec says what becomes of a creation that is sent again. */
function promisesRepetition({ context: { suite } }: Sequence): boolean {
  return suite.rules["repetition"] !== undefined;
}
