/**
 * `npm run conform:sound`: runs the conformance suite against the service as it is, with twenty seeds, at every level,
 * with and without the operator's access. Says every case that fails or is broken; there must be none.
 */
import { parseArgs } from "node:util";
import { countsOf, type Level } from "../../generator/conformance/index.ts";
import { complaints, runSound } from "./try-fault.ts";

const { values } = parseArgs({ options: { seeds: { type: "string", default: "20" } } });
const levels: readonly Level[] = ["document", "decisions", "strict"];

for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
  for (const level of levels) {
    for (const operator of [true, false]) {
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
  }
}
