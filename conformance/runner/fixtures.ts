import { resultOf } from "../response/read-response.ts";
import { valueAt } from "../request/edits.ts";
import { namesIn, type Lookup } from "../request/resolve-value.ts";
import { valuesOf } from "../scenario/run-scenario.ts";
import type { Environment } from "../scenario/environment.ts";
import type { FieldShape, Shape } from "../values/index.ts";
import type { MethodEntry, ResourceEntry } from "../suite/suite.ts";
import { call, type RunContext } from "../session/context.ts";
import type { KeyedLock } from "../session/keyed-lock.ts";

/**
 * Samples that nobody else is looking at. Of each resource that a payload names a new one is made: by the interface
 * itself where it can, else by the operator where the call is about it. Where none could be made, the samples of the
 * access file stay. What is made without the operator is read anew wherever it is named.
 */
export async function createFixtures(
  method: MethodEntry,
  payload: unknown,
  environment: Environment,
  lock: KeyedLock,
): Promise<Lookup> {
  const { context } = environment;
  const fresh = new Map<string, unknown>();
  const lookup: Lookup = (name) => fresh.get(name) ?? context.lookup(name);
  for (const resource of resourcesIn(context, payload)) {
    const made =
      resource.created === undefined
        ? await madeByOperator(resource, method, environment, lookup, lock)
        : await createdByInterface(resource.created, context);
    for (const [name, value] of made ?? []) fresh.set(name, value);
  }
  return lookup;
}

type Samples = readonly (readonly [string, unknown])[];

async function createdByInterface(
  { method: name, base, gives }: NonNullable<ResourceEntry["created"]>,
  context: RunContext,
): Promise<Samples | undefined> {
  const method = context.methodOf(name);
  const { answer } = await call(context, method, { base });
  const result = resultOf(answer, method);
  if (result === undefined) return undefined;
  return Object.entries(gives).map(([sample, pointer]) => [sample, valueAt(result, pointer)]);
}

/**
 * For requests that change nothing, and for what others only refer to: one object a run of each kind that the access
 * file has none of.
 */
export async function createSharedFixtures(
  payload: unknown,
  environment: Environment,
  outer: Lookup,
): Promise<Lookup> {
  const shared = new Map<string, unknown>();
  for (const { name, made, samples } of resourcesIn(environment.context, payload)) {
    if (made === undefined || samples.some((sample) => outer(sample) !== undefined)) continue;
    const { lookup } = environment.context;
    const known = environment.fixtures.get(name) ?? valuesOf(made.steps, made.gives, environment, lookup);
    environment.fixtures.set(name, known);
    for (const [sample, value] of (await known) ?? []) shared.set(sample, value);
  }
  return (sample) => shared.get(sample) ?? outer(sample);
}

/** One after the other: what is mailed has to be told apart. What the interface itself tells needs no operator. */
async function madeByOperator(
  resource: ResourceEntry,
  method: MethodEntry,
  environment: Environment,
  lookup: Lookup,
  lock: KeyedLock,
): Promise<Samples | undefined> {
  const { made, name } = resource;
  if (made === undefined || !isMadeFor(resource, method, environment)) return undefined;
  return await lock.run([`making ${name}`], () => valuesOf(made.steps, made.gives, environment, lookup));
}

/** Resources of which a payload names a sample and that can only be shared. */
export function sharedResources(
  method: MethodEntry | undefined,
  payload: unknown,
  environment: Environment,
): readonly string[] {
  return resourcesIn(environment.context, payload)
    .filter(
      (resource) =>
        resource.created === undefined && !(method !== undefined && isMadeFor(resource, method, environment)),
    )
    .map(({ name }) => name);
}

function resourcesIn({ suite }: RunContext, payload: unknown): readonly ResourceEntry[] {
  const names = new Set(namesIn(payload));
  return suite.resources.filter(({ samples }) => samples.some((name) => names.has(name)));
}

function isMadeFor({ made, samples }: ResourceEntry, method: MethodEntry, environment: Environment): boolean {
  if (made === undefined) return false;
  if (made.steps.every(({ kind }) => kind === "call" || kind === "key")) return true;
  if (environment.operator === undefined) return false;
  const about = aboutOf(method);
  return samples.some((sample) => about.has(sample));
}

const abouts = new WeakMap<MethodEntry, ReadonlySet<string>>();

/** The samples by which a payload says what the call is about. */
function aboutOf(method: MethodEntry): ReadonlySet<string> {
  const known = abouts.get(method);
  if (known !== undefined) return known;
  const { payload } = method;
  const shapes: readonly Shape[] =
    payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
  const fields = shapes.flatMap((shape): readonly FieldShape[] =>
    shape.kind === "object" ? shape.fields : [],
  );
  const about = new Set(fields.flatMap(({ identifies }) => identifies ?? []));
  abouts.set(method, about);
  return about;
}
