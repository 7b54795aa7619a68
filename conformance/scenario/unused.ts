import { isDeepStrictEqual } from "node:util";
import type { WireRequest } from "../request/wire-request.ts";
import type { Step } from "../suite/step.ts";
import type { MethodEntry, Scenario } from "../suite/suite.ts";
import { isJsonObject, memberOf } from "../values/index.ts";

/** An object that a request has made and that nothing has changed since, or that was put back. */
export interface Unused {
  readonly wire: WireRequest;
  readonly result: unknown;
}

/** Objects that cases have left as they were when they were new: a scenario that needs just such a one begins with it. */
export class UnusedObjects {
  readonly #byMethod = new Map<string, Unused[]>();

  add({ name }: MethodEntry, unused: Unused): void {
    this.#byMethod.set(name, [...(this.#byMethod.get(name) ?? []), unused]);
  }

  /** One whose request had all members of this payload, and as few others as can be; it serves no other step. */
  take({ name }: MethodEntry, payload: unknown): Unused | undefined {
    if (!isJsonObject(payload)) return undefined;
    const known = this.#byMethod.get(name) ?? [];
    const [best] = known
      .filter(({ wire }) => hasMembers(wire.payload, payload))
      .toSorted((one, other) => sizeOf(one) - sizeOf(other));
    if (best !== undefined)
      this.#byMethod.set(
        name,
        known.filter((each) => each !== best),
      );
    return best;
  }
}

function hasMembers(sent: unknown, members: object): boolean {
  if (!isJsonObject(sent)) return false;
  return Object.entries(members).every(([name, value]) => isDeepStrictEqual(memberOf(sent, name), value));
}

function sizeOf({ wire: { payload } }: Unused): number {
  return isJsonObject(payload) ? Object.keys(payload).length : 0;
}

/**
 * The leading steps of a scenario, or of one value of an `each`, that only prepare: they create objects and assert
 * nothing. When the object was made says nothing there. A method that the scenario is about is called again by a
 * later step.
 */
export function preparingSteps({ about, steps }: Pick<Scenario, "about" | "steps">): ReadonlySet<Step> {
  const found = new Set<Step>();
  const every: Step[] = [];
  const walk = (list: readonly Step[]): void => {
    every.push(...list);
    const end = list.findIndex((step) => !isPreparing(step));
    for (const step of end === -1 ? list : list.slice(0, end)) found.add(step);
    for (const step of list) if ("steps" in step) walk(step.steps);
  };
  walk(steps);
  const repeated = new Set(every.flatMap((step) => (step.kind === "repeat" ? [step.call] : [])));
  const called = new Set(
    every.flatMap((step) => (step.kind === "call" && !found.has(step) ? [step.method] : [])),
  );
  for (const step of found) {
    if (step.kind !== "call") continue;
    const isTried = about.length === 0 || (about.includes(step.method) && !called.has(step.method));
    if (isTried || repeated.has(step.as ?? "")) found.delete(step);
  }
  return found;
}

const preparingMembers: ReadonlySet<string> = new Set(["kind", "method", "base", "as", "times", "level"]);

function isPreparing(step: Step): boolean {
  if (step.kind !== "call" || step.as === undefined) return false;
  return Object.keys(step).every((name) => preparingMembers.has(name));
}
