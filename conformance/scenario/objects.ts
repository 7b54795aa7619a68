import { valueAt } from "../request/edits.ts";
import { namesIn, type Lookup } from "../request/resolve-value.ts";
import { resultOf } from "../response/read-response.ts";
import { call, type RunContext } from "../session/context.ts";
import { payloadFields } from "../suite/payload-shapes.ts";
import type { MethodEntry, ResourceEntry } from "../suite/suite.ts";
import type { Environment, Spare } from "./environment.ts";

export type Created = NonNullable<ResourceEntry["created"]>;
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
