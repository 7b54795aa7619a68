/**
 * `node test/run.ts commit|ci|nightly`: the steps of a tier, each quiet when green. A red step fails the run after
 * the others have ended, so one run shows everything. docs/internals/testing.md lists the tiers and their reasons.
 */
import { startCommand } from "./child-command.ts";
import { tiers, type Step } from "./tiers.ts";

const [name = ""] = process.argv.slice(2);
const tier = tiers[name];
if (tier === undefined) throw new Error(`a tier is one of ${Object.keys(tiers).join(", ")}`);

const failed: string[] = [];
const startedAt = performance.now();
await Promise.all(tier.map(runLane));
const total = secondsSince(startedAt);
if (failed.length === 0) console.log(`ok   everything of ${name} (${total} s)`);
else {
  console.error(`FAIL ${failed.join(", ")} (${total} s)`);
  process.exitCode = 1;
}

async function runLane(steps: readonly Step[]): Promise<void> {
  for (const { name: step, command } of steps) {
    const begunAt = performance.now();
    const { code, output } = await run(command);
    if (output !== "") process.stdout.write(output);
    const isOk = code === 0;
    console.log(`${isOk ? "ok  " : "FAIL"} ${step} (${secondsSince(begunAt)} s)`);
    if (isOk) continue;
    console.log(`     alone: npx ${command.join(" ")}`);
    failed.push(step);
  }
}

/** The output of a command is shown when it has ended and failed, so that steps do not talk at once. */
function run(command: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const env = process.stdout.isTTY ? { FORCE_COLOR: "1", ...process.env } : process.env;
    const child = startCommand(command, { stdio: ["ignore", "pipe", "pipe"], env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output: code === 0 ? "" : output }));
  });
}

function secondsSince(ms: number): string {
  return ((performance.now() - ms) / 1000).toFixed(1);
}
