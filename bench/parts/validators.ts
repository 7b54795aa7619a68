import { join } from "node:path";
import { runForJson } from "../harness/command.ts";
import { figuresOf } from "../harness/figures.ts";
import { repository } from "../harness/service.ts";
import type { Validated } from "../validators/measure.ts";
import type { Part } from "./part.ts";

const [generated, ajv, zod] = ["generated validators", "Ajv", "zod"] as const;

/** The generated validators beside Ajv, which has their formats and the same schemas, and zod; and their start. */
export const validators: Part = {
  name: "validators",
  title: "generated validators beside Ajv and zod, and what they take to start",
  async measure({ rounds, progress }) {
    progress("validators");
    const programs = join(import.meta.dirname, "../validators");
    const all: readonly Validated[] = runForJson(join(programs, "measure.ts"), [String(rounds)]);
    const slowest = slowestOf(all);
    const starts = ["payloads", "*"].map((kind): readonly [string, readonly number[]] => {
      const folder = join(repository, "generated/ledger/validators");
      const run = (): number => runForJson(join(programs, "start.ts"), [folder, kind]);
      return [
        kind === "*" ? "all" : "those of payloads, which the service loads",
        Array.from({ length: rounds }, run),
      ];
    });
    return [
      ...(["payload", "result"] as const).flatMap((part) =>
        figuresOf({
          part: `validators of ${part}s`,
          measure: "CPU",
          unit: "µs for one of each",
          better: "lower",
          base: generated,
          goals: { [ajv]: { of: "ratio", atLeast: 1 } },
          rounds: sums(all.filter((each) => each.part === part)),
        }),
      ),
      ...figuresOf({
        part: "validators",
        measure: "slowest beside Ajv",
        unit: "Ajv ÷ generated",
        better: "higher",
        goals: { [slowest.name]: { of: "value", atLeast: 1 } },
        rounds: new Map([[slowest.name, [slowest.ratio]]]),
      }),
      ...figuresOf({
        part: "validators",
        measure: "start",
        unit: "ms of CPU",
        better: "lower",
        goals: Object.fromEntries(starts.map(([name]) => [name, { of: "value", atMost: 5 }])),
        rounds: new Map(starts),
      }),
    ];
  },
};

/** Round by round, the time of all. */
function sums(all: readonly Validated[]): ReadonlyMap<string, readonly number[]> {
  const sum = (pick: (one: Validated) => readonly number[]) =>
    (all[0] === undefined ? [] : pick(all[0])).map((_, round) =>
      all.reduce((total, each) => total + (pick(each)[round] ?? 0), 0),
    );
  return new Map([
    [generated, sum((each) => each.generated)],
    [ajv, sum((each) => each.ajv)],
    [zod, sum((each) => each.zod)],
  ]);
}

/** The schema at which the generated validator does worst: the least that each took of all rounds. */
function slowestOf(all: readonly Validated[]): { readonly name: string; readonly ratio: number } {
  const [slowest] = all
    .map(({ name, part, generated: own, ajv: others }) => ({
      name: `${part} of ${name}`,
      ratio: Math.min(...others) / Math.min(...own),
    }))
    .toSorted((a, b) => a.ratio - b.ratio);
  return slowest ?? { name: "none", ratio: Number.NaN };
}
