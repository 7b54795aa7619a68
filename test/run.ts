/**
 * `node test/run.ts commit|ci|nightly`: the steps of a tier, each quiet when green. A red step fails the run after the
 * others have finished, so that one run shows everything. docs/testing.md says what is in which tier, and why.
 */
import { startCommand } from "./child-command.ts";

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

/** Lists of steps. The steps of one list run one after the other; the lists run side by side. */
type Tier = readonly (readonly Step[])[];

/** One checker: each further one reads the types of the same libraries again. */
const types = ["tsc", "-p", ".", "--checkers", "1"];

const tiers: Readonly<Record<string, Tier>> = {
  commit: [
    [{ name: "tests", command: ["vitest", "run", "--project", "unit", "--project", "postgres"] }],
    [
      { name: "lint", command: ["oxlint", "--deny-warnings", "--quiet"] },
      { name: "drift", command: ["node", "generator/cli/main.ts", "check"] },
      { name: "types", command: types },
      { name: "types of pages", command: ["tsc", "-p", "web"] },
    ],
  ],
  ci: [
    [{ name: "tests of ci", command: ["vitest", "run", "--project", "ci"] }],
    [
      { name: "format", command: ["oxfmt", "--check", "."] },
      { name: "tutorial", command: ["node", "test/docs/first-operation.ts"] },
    ],
  ],
  nightly: [
    [
      { name: "nightly tests", command: ["vitest", "run", "--project", "nightly"] },
      { name: "all faults", command: ["node", "test/faults/run.ts", "--measure", "document"] },
      { name: "sound", command: ["node", "test/faults/sound.ts"] },
      { name: "documents of others", command: ["node", "test/import/acceptance.ts"] },
      { name: "soak", command: ["node", "test/soak.ts", "--minutes", "60"] },
      { name: "client on every engine", command: ["node", "test/client/soak.ts"] },
      { name: "events, killed", command: ["node", "test/e2e/events-kill.ts"] },
      { name: "PostgreSQL, killed", command: ["node", "test/postgres/kill.ts"] },
      { name: "failover", command: ["node", "test/postgres/failover.ts"] },
      { name: "failover, frozen", command: ["node", "test/postgres/failover.ts", "--frozen"] },
      { name: "overload", command: ["node", "bench/overload.ts"] },
    ],
  ],
};

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
