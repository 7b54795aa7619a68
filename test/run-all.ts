/**
 * `npm test`: every part, each step quiet when green; `npm run test:slow` has what takes longer. What is short runs
 * beside the tests. A red step fails the run after the others have finished, so that one run shows everything.
 */
import { startCommand } from "./child-command.ts";

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

/** Steps of one list run one after the other; the lists run side by side. */
const lanes: readonly (readonly Step[])[] = [
  [{ name: "tests", command: ["vitest", "run", "--project", "unit", "--project", "postgres"] }],
  [
    { name: "lint", command: ["oxlint", "--deny-warnings", "--quiet"] },
    { name: "drift", command: ["node", "generator/cli/main.ts", "check"] },
    // One checker: several share what they run on with the tests, and each looks at the same types of libraries.
    { name: "types", command: ["tsc", "-p", ".", "--checkers", "1"] },
    { name: "types of pages", command: ["tsc", "-p", "web"] },
  ],
];

const failed: string[] = [];
const startedAt = performance.now();
await Promise.all(lanes.map(runLane));
const total = secondsSince(startedAt);
if (failed.length === 0) console.log(`ok   everything (${total} s)`);
else {
  console.error(
    `FAIL ${failed.join(", ")} (${total} s). Each runs alone as \`npm run <name>\`; see package.json.`,
  );
  process.exitCode = 1;
}

async function runLane(steps: readonly Step[]): Promise<void> {
  for (const { name, command } of steps) {
    const begunAt = performance.now();
    const { code, output } = await run(command);
    if (output !== "") process.stdout.write(output);
    console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} (${secondsSince(begunAt)} s)`);
    if (code !== 0) failed.push(name);
  }
}

/** What a command says is shown when it has ended, so that steps do not talk at once. */
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
