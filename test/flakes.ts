/**
 * `npm run flakes -- --times 5 --load 6` runs the commit and ci tiers that often beside that many busy processes. It
 * names every test or step whose result differed between runs. Ends with 1 where there is one, or where a test failed
 * each time.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { startCommand } from "./child-command.ts";
import { tiers, type Step } from "./tiers.ts";

const { values } = parseArgs({
  options: { times: { type: "string", default: "5" }, load: { type: "string", default: "6" } },
});
const times = countIn(values.times, "--times");
const load = countIn(values.load, "--load");

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

const root = join(import.meta.dirname, "..");
const folder = join(root, ".cache/flakes");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** The results of each test, in the order of the runs; the key is its file and name, or the name of a step. */
const resultsOf = new Map<string, string[]>();
// Threads, not processes: they end with this process, however it ends.
const busy = Array.from({ length: load }, () => new Worker("for (;;);", { eval: true }));
const steps = ["commit", "ci"].flatMap((tier) => tiers[tier]?.flat() ?? []);
for (let run = 1; run <= times; run += 1) {
  for (const step of steps) {
    const startedAt = performance.now();
    const failed = await resultsOfStep(step, join(folder, `${run} ${step.name}.json`));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`run ${run} of ${times}, ${step.name}: ${failed.length} failed, ${seconds} s`);
    for (const test of failed) console.log(`  ${test}`);
  }
}
await Promise.all(busy.map((each) => each.terminate()));

const differing = [...resultsOf].filter(
  // Two tests may have one name: then both count.
  ([, results]) => results.length % times > 0 || new Set(results).size > 1 || results.includes("failed"),
);
for (const [test, results] of differing) console.error(`${test}: ${results.join(", ")}`);
console.log(
  `${resultsOf.size} tests, ${times} runs beside ${load} busy processes: ${differing.length} differ or fail`,
);
process.exitCode = differing.length === 0 ? 0 : 1;

/** Runs a step and adds its results; gives the tests that failed. A step without tests counts as one. */
async function resultsOfStep({ name: step, command }: Step, file: string): Promise<readonly string[]> {
  const isTests = command[0] === "vitest";
  const report = isTests ? ["--reporter=json", `--outputFile=${file}`] : [];
  const child = startCommand([...command, ...report], { stdio: "ignore", env: process.env, cwd: root });
  const code = await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  const results =
    isTests && existsSync(file) ? testsIn(file) : [{ test: step, status: code === 0 ? "passed" : "failed" }];
  for (const { test, status } of results) resultsOf.set(test, [...(resultsOf.get(test) ?? []), status]);
  return results.flatMap(({ test, status }) => (status === "failed" ? [test] : []));
}

/** The results in a report. A file that does not load counts as a test. */
function testsIn(file: string): readonly { readonly test: string; readonly status: string }[] {
  const { testResults } = Report.parse(JSON.parse(readFileSync(file, "utf8")));
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const path = name.slice(root.length + 1);
    if (assertionResults.length === 0) return [{ test: path, status: message === "" ? "empty" : "failed" }];
    return assertionResults.map(({ fullName, status }) => ({ test: `${path}: ${fullName}`, status }));
  });
}

function countIn(text: string, option: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) === 0) throw new Error(`${option} takes a number above 0`);
  return Number(text);
}
