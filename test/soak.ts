/**
 * `npm run soak -- --minutes 120 [--effort 5] [--seed 1]`: the random tests of the repository again and again, each
 * round from another seed and with more tries than in `npm test`. Ends with the first round that fails, and says how to
 * repeat it.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startCommand, type CommandOptions } from "./child-command.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    effort: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const [minutes, effort, firstSeed] = [values.minutes, values.effort, values.seed].map(Number);
if (![minutes, effort, firstSeed].every((each) => each !== undefined && each > 0))
  throw new Error("--minutes, --effort and --seed are numbers above 0");

const root = join(import.meta.dirname, "..");
const files = globSync("test/**/*.test.ts", { cwd: root }).filter((path) => draws(path));
const endsAt = performance.now() + (minutes ?? 0) * 60_000;
let rounds = 0;
for (let seed = firstSeed ?? 1; performance.now() < endsAt; seed += 1) {
  const code = await round(seed);
  if (code !== 0) {
    console.error(
      `FAIL round ${rounds + 1}: TEST_SEED=${seed} TEST_EFFORT=${effort} npm run unit -- <the file that failed>`,
    );
    process.exitCode = 1;
    break;
  }
  rounds += 1;
  console.log(`ok   round ${rounds}, seed ${seed}`);
}
console.log(`${rounds} rounds over ${files.length} files with random tests, ${effort} times the usual tries`);

/** Whether a test, or what it is made of beside it, takes its chances from `test/seed.ts`. */
function draws(path: string, seen: Set<string> = new Set()): boolean {
  // Tests hold the texts of modules too, whose imports lead nowhere.
  if (seen.has(path) || !existsSync(join(root, path))) return false;
  seen.add(path);
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/from "(\.{1,2}\/[^"]+\.ts)"/g)].some(([, module = ""]) => {
    const target = join(path, "..", module);
    return target === join("test", "seed.ts") || (target.startsWith("test") && draws(target, seen));
  });
}

function round(seed: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TEST_SEED: String(seed), TEST_EFFORT: String(effort) };
    const options = { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] } satisfies CommandOptions;
    const child = startCommand(["vitest", "run", ...files], options);
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
