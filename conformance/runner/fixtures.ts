import type { Lookup } from "../request/resolve-value.ts";
import { valuesOf } from "../scenario/run-scenario.ts";
import type { Environment, Spare } from "../scenario/environment.ts";
import {
  createdByInterface,
  isAbout,
  resourcesIn,
  sharedByInterface,
  type Samples,
} from "../scenario/objects.ts";
import { baseOf } from "../scenario/calls.ts";
import type { KeyedLock } from "../session/order.ts";
import type { Step } from "../suite/step.ts";
import type { MethodEntry, ResourceEntry } from "../suite/suite.ts";

/**
 * Samples that no other case uses. Creates a resource of each type that the call is about, by the interface itself
 * where it can, else by the operator. Where none could be made, the samples of the access file stay. Objects that are
 * made without the operator are read again wherever they are named.
 */
export async function createFixtures(
  method: MethodEntry,
  payload: unknown,
  environment: Environment,
  lock: KeyedLock,
): Promise<Fixtures> {
  const { context, spare } = environment;
  const fresh = new Map<string, unknown>();
  const lookup: Lookup = (name) => fresh.get(name) ?? context.lookup(name);
  const reusable: (readonly [string, Spare])[] = [];
  for (const resource of resourcesIn(context, payload)) {
    const { created, name } = resource;
    let made: Samples | undefined;
    if (created === undefined) made = await madeByOperator(resource, method, environment, lookup, lock);
    else if (isAbout(method, resource)) {
      const own = spare.get(name)?.pop() ?? (await createdByInterface(created, context));
      if (own !== undefined) reusable.push([name, own]);
      made = own?.samples;
    } else made = await sharedByInterface(name, created, environment);
    for (const [sample, value] of made ?? []) fresh.set(sample, value);
  }
  const giveBack = (): void => {
    for (const [name, own] of reusable) spare.set(name, [...(spare.get(name) ?? []), own]);
  };
  return { lookup, giveBack };
}

/** The resources that were made for one call. */
export interface Fixtures {
  readonly lookup: Lookup;
  /** Lets a later call have what this one was about. Only for objects that are as they were when they were new. */
  giveBack(): void;
}

/** After the last case: what none of them needs any more is for scenarios. */
export function releaseSpare({ spare, unused }: Environment): void {
  for (const { method, wire, result } of [...spare.values()].flat()) unused.add(method, { wire, result });
  spare.clear();
}

/**
 * For requests that change nothing or only refer to an object: one object a run for each kind that the access file
 * lacks.
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

/** One after the other, so that each mail belongs to one call. What the interface itself returns needs no operator. */
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

/** The resources that a scenario needs for itself: those that its steps name, and those that their base payloads are about. */
export function resourcesOfScenario(steps: readonly Step[], environment: Environment): readonly string[] {
  const { context } = environment;
  const based = (each: readonly Step[]): readonly string[] =>
    each.flatMap((step) => {
      if ("steps" in step) return based(step.steps);
      if (step.kind !== "call" || step.payload !== undefined) return [];
      const method = context.methodOf(step.method);
      return resourcesIn(context, method.bases[baseOf(step, method)])
        .filter((resource) => resource.created === undefined && isAbout(method, resource))
        .map(({ name }) => name);
    });
  return [...new Set([...sharedResources(undefined, steps, environment), ...based(steps)])];
}

function isMadeFor({ made, samples }: ResourceEntry, method: MethodEntry, environment: Environment): boolean {
  if (made === undefined) return false;
  if (made.steps.every(({ kind }) => kind === "call" || kind === "key")) return true;
  if (environment.operator === undefined) return false;
  return isAbout(method, { samples });
}
