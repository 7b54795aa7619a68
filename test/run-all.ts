/**
 * `npm test`: everything, each step quiet when green. A red one fails the run after the others have
 * finished, so that one run shows everything.
 */
import { spawn } from "node:child_process";

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const steps: readonly Step[] = [
  { name: "format", command: ["prettier", "--check", ".", "--log-level", "warn"] },
  { name: "lint", command: ["oxlint", "--deny-warnings", "--quiet"] },
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "drift", command: ["node", "generator/cli/main.ts", "check"] },
  { name: "tests", command: ["vitest", "run"] },
];

const failed: string[] = [];
for (const step of steps) {
  const startedAt = performance.now();
  const code = await run(step.command);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${step.name} (${seconds} s)`);
  if (code !== 0) failed.push(step.name);
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}. Each runs alone as \`npm run <name>\`; see package.json.`);
  process.exitCode = 1;
}

function run([command = "", ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
