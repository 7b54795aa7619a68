import type { Finding } from "../response/finding.ts";
import { resultOf, type ServiceResponse } from "../response/read-response.ts";
import type { Expectation } from "../suite/case.ts";
import { isWithin, type Level } from "../suite/level.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { type Exchange, failed, type Outcome, skipped, untimed } from "./outcome.ts";

/** Where an answer was given. */
export interface ResponsePlace {
  /** The case, the scenario or the exploration. */
  readonly id: string;
  readonly method: string;
}

/** The findings on every answer, or on every one of an operation, whatever the request. */
export interface EveryResponse {
  /** Notes what is wrong with answers as such, and gives back what is wrong with this one alone. */
  without(findings: readonly Finding[], place: ResponsePlace, exchange: Exchange): readonly Finding[];
  /** One outcome for each thing that is wrong: of the endpoint where several operations answer so, else of the one. */
  outcomes(level: Level): readonly Outcome[];
}

interface Noted {
  readonly finding: Finding;
  readonly exchange: Exchange;
  readonly places: ResponsePlace[];
}

const placesKept = 20;

export function createEveryResponse(): EveryResponse {
  const noted = new Map<string, Noted>();
  return {
    without(findings, place, exchange) {
      for (const finding of findings) {
        if (finding.ofEveryAnswer !== true) continue;
        const key = `${finding.check} ${finding.expected}`;
        const known = noted.get(key);
        if (known === undefined) noted.set(key, { finding, exchange, places: [place] });
        else known.places.push(place);
      }
      return findings.filter(({ ofEveryAnswer }) => ofEveryAnswer !== true);
    },
    outcomes: (level) =>
      [...noted.values()]
        .filter(({ finding }) => isWithin(finding.level, level))
        .map((each, index, all) => outcomeOf(each, all.slice(0, index))),
  };
}

function outcomeOf({ finding, exchange, places }: Noted, before: readonly Noted[]): Outcome {
  const methods = [...new Set(places.map(({ method }) => method))];
  const [only = ""] = methods;
  const method = methods.length === 1 ? only : "(endpoint)";
  const again = before.filter(({ finding: { check } }) => check === finding.check).length;
  const cases = [...new Set(places.map(({ id }) => id))];
  const ofWhom = methods.length === 1 ? `answers of ${only}` : `answers of ${methods.length} operations`;
  return {
    id: `${method}/answers/${finding.check}${again === 0 ? "" : `-${again + 1}`}`,
    method,
    title: `${places.length} ${ofWhom}, whatever was asked`,
    level: finding.level,
    origin: finding.origin ?? [],
    ...failed(finding, exchange),
    seenIn: cases.slice(0, placesKept),
    ...untimed,
  };
}

/** Of which operations a run saw a result. */
export interface SeenResults {
  record(method: MethodEntry, expect: Expectation, answer: ServiceResponse, result: unknown): void;
  /** An outcome for each operation that answered every call with an error, as it may: its results were not tried. */
  outcomes(): readonly Outcome[];
}

export function createSeenResults(): SeenResults {
  const seen = new Set<string>();
  const refusing = new Map<string, MethodEntry>();
  return {
    record(method, expect, { error }, result) {
      if (result !== undefined) seen.add(method.name);
      else if (expect.kind === "taken" && error !== undefined) refusing.set(method.name, method);
    },
    outcomes: () => [...refusing.values()].filter(({ name }) => !seen.has(name)).map(untried),
  };
}

function untried({ name, section }: MethodEntry): Outcome {
  return {
    id: resultsId(name),
    method: name,
    title: "a result is as the interface says",
    level: "document",
    origin: section === undefined ? [] : [section],
    ...skipped("every call was answered with an error, so that there was no result to check"),
    ...untimed,
  };
}

/** The outcome that says that no result of an operation was checked. */
export function resultsId(method: string): string {
  return `${method}/results`;
}

/** What an operation made, as its result says. */
export interface MadeObject {
  readonly result: unknown;
}

/** The objects that a run made in a service, and takes away at its end. */
export interface MadeObjects {
  /** Keeps the result of an answer, if it has one and its operation makes what can be removed. */
  note(method: MethodEntry | undefined, answer: ServiceResponse): void;
  /** The different results of an operation, the last one first. */
  by(operation: string): readonly MadeObject[];
}

export function createMadeObjects(operations: ReadonlySet<string>): MadeObjects {
  const made = new Map<string, Map<string, MadeObject>>();
  return {
    note(method, answer) {
      if (method === undefined || !operations.has(method.name)) return;
      const result = resultOf(answer, method);
      if (result === undefined) return;
      const known = made.get(method.name) ?? new Map<string, MadeObject>();
      // A repeated request is answered with the same object.
      known.set(JSON.stringify(result), { result });
      made.set(method.name, known);
    },
    by: (operation) => [...(made.get(operation)?.values() ?? [])].toReversed(),
  };
}
