import type { Identity } from "../request/access.ts";
import { type Lookup, namesIn } from "../request/resolve-value.ts";
import { resultOf } from "../response/read-response.ts";
import { call, type RunContext } from "../session/context.ts";
import type { Case, Edit } from "../suite/case.ts";
import { machineOf, payloadFields, valuesOfEnum } from "../suite/methods.ts";
import type { FieldShape, Shape } from "../suite/shape.ts";
import type { MethodEntry, ResourceEntry, Suite } from "../suite/suite.ts";
import { valueAt } from "../values/index.ts";
import type { Environment, Spare } from "./environment.ts";

type Created = NonNullable<ResourceEntry["created"]>;
export type Samples = readonly (readonly [string, unknown])[];

/** Makes an object by the interface itself; undefined where the service refuses it. @throws CallFailed */
export async function createdByInterface(
  { method: name, base, gives }: Created,
  context: RunContext,
): Promise<Spare | undefined> {
  const method = context.methodOf(name);
  const { wire, answer } = await call(context, method, { base });
  const result = resultOf(answer, method);
  if (result === undefined) return undefined;
  const samples = Object.entries(gives).map(([sample, at]) => [sample, valueAt(result, at)] as const);
  return { method, wire, result, samples };
}

/** One object a run serves all calls that only refer to one: none of them changes it. @throws CallFailed */
export async function sharedByInterface(
  name: string,
  created: Created,
  { context, fixtures }: Environment,
): Promise<Samples | undefined> {
  const known = fixtures.get(name) ?? createdByInterface(created, context).then((made) => made?.samples);
  fixtures.set(name, known);
  try {
    return await known;
  } catch (error) {
    // A call without an answer is the failure of one case.
    if (fixtures.get(name) === known) fixtures.delete(name);
    throw error;
  }
}

/**
 * Names for a call that only refers to objects which the interface can make: they stand for new ones. What the access
 * file names may be in a state, or of a kind, in which nothing can refer to it.
 */
export async function referredObjects(
  method: MethodEntry,
  payload: unknown,
  environment: Environment,
  outer: Lookup,
): Promise<Lookup> {
  const shared = new Map<string, unknown>();
  for (const resource of resourcesIn(environment.context, payload)) {
    if (resource.created === undefined || isAbout(method, resource)) continue;
    const made = await sharedByInterface(resource.name, resource.created, environment);
    for (const [sample, value] of made ?? []) shared.set(sample, value);
  }
  return shared.size === 0 ? outer : (name) => shared.get(name) ?? outer(name);
}

/** The resources of which a payload names a sample. */
export function resourcesIn({ suite }: RunContext, payload: unknown): readonly ResourceEntry[] {
  const names = new Set(namesIn(payload));
  return suite.resources.filter(({ samples }) => samples.some((name) => names.has(name)));
}

/** Whether a call says by samples of this resource what it is about. */
export function isAbout(method: MethodEntry, { samples }: Pick<ResourceEntry, "samples">): boolean {
  const about = aboutOf(method);
  return samples.some((sample) => about.has(sample));
}

const abouts = new WeakMap<MethodEntry, ReadonlySet<string>>();

/** The samples by which a payload says what the call is about. */
function aboutOf(method: MethodEntry): ReadonlySet<string> {
  const known = abouts.get(method);
  if (known !== undefined) return known;
  const about = new Set(payloadFields(method.payload).flatMap(({ identifies }) => identifies ?? []));
  abouts.set(method, about);
  return about;
}

/**
 * Puts a shared sample back into its first state after a request that asked for one: other cases rely on that state. Does
 * nothing for methods by which no state is requested. The method's own cases check what the service answers.
 * Returns whether the sample was put into that state.
 *
 * @throws CallFailed
 */
export async function restoreState(
  method: MethodEntry,
  context: RunContext,
  identity: Identity,
  lookup: Lookup,
): Promise<boolean> {
  const { suite } = context;
  const [base] = Object.keys(method.bases);
  const edits = firstState(method, suite);
  if (base === undefined || edits.length === 0) return false;
  const { answer } = await call(context, method, { base, edits }, { identity, lookup });
  return resultOf(answer, method) !== undefined;
}

/**
 * The case with the first state, unless it is about the state. It must be refused. If a service accepts it, the
 * change affects no other case.
 */
export function askingForNoChange(each: Case, method: MethodEntry, suite: Suite): Case {
  const { request } = each;
  if (request.payload !== undefined || request.raw !== undefined) return each;
  const own = request.edits ?? [];
  const edits = firstState(method, suite).filter(({ at }) => own.every((edit) => edit.at !== at));
  return edits.length === 0 ? each : { ...each, request: { ...request, edits: [...edits, ...own] } };
}

function firstState(method: MethodEntry, suite: Suite): readonly Edit[] {
  return stateFields(method, suite).map(({ name, state }) => ({ op: "set", at: `/${name}`, value: state }));
}

/** The fields that request a state, and the first one of each: the state of what is new, or the first of its type. */
export function stateFields(
  { name: by, payload }: MethodEntry,
  suite: Suite,
): readonly { readonly name: string; readonly state: string }[] {
  const requested = suite.states.filter(({ transitions }) =>
    transitions.some((transition) => transition.by === by && transition.to === "requested"),
  );
  if (payload.kind !== "single") return [];
  return fieldsOf(payload.shape).flatMap(({ name, shape }) => {
    const found = machineOf({ shape }, suite);
    if (found === undefined || !requested.includes(found)) return [];
    const initial = found.transitions.find(({ from, to }) => from === "none" && to !== "requested")?.to;
    const askable = valuesOfEnum(shape, suite);
    const state = askable.includes(initial) ? initial : askable[0];
    return state === undefined ? [] : [{ name, state: String(state) }];
  });
}

function fieldsOf(shape: Shape): readonly FieldShape[] {
  return shape.kind === "object" ? shape.fields : [];
}
