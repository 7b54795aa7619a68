/**
 * `npm run conform:sound` runs the conformance suite against the unchanged service with twenty seeds. Each runs
 * strictly with the operator's access, and once more at another level or without that access. `--all` runs every seed
 * at every level, both ways. Says every case that fails or is broken; there must be none.
 */
import { parseArgs } from "node:util";
import { countsOf, type Level } from "../../conformance/index.ts";
import { complaints, runSound } from "./try-fault.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    from: { type: "string", default: "1" },
    all: { type: "boolean", default: false },
  },
});

interface Way {
  readonly level: Level;
  readonly operator: boolean;
}

const fullest: Way = { level: "strict", operator: true };
const others: readonly Way[] = [
  { level: "decisions", operator: true },
  { level: "document", operator: true },
  { level: "strict", operator: false },
  { level: "decisions", operator: false },
  { level: "document", operator: false },
];

const first = Number(values.from);
for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const turn = seed % others.length;
  for (const way of [fullest, ...(values.all ? others : others.slice(turn, turn + 1))])
    await tryOut(seed, way);
}

async function tryOut(seed: number, { level, operator }: Way): Promise<void> {
  const report = await runSound({ level, seed, operator });
  const { passed, failed, skipped, broken } = countsOf(report.outcomes);
  const access = operator ? "with the operator's access" : "without the operator's access";
  console.log(
    `seed ${seed}, ${level}, ${access}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${broken} broken ` +
      `in ${(report.elapsedMs / 1000).toFixed(1)} s`,
  );
  for (const complaint of complaints(report)) console.log(`  ${complaint}`);
  if (failed + broken > 0) process.exitCode = 1;
}
