import type { Finding } from "../response/finding.ts";
import type { Level } from "../suite/suite.ts";
import type { Exchange, Outcome } from "./outcome.ts";
import { isWithin } from "../suite/level.ts";

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
    status: "failed",
    findings: [finding],
    exchanges: [exchange],
    seenIn: cases.slice(0, placesKept),
    startedMs: 0,
    elapsedMs: 0,
  };
}
