import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const limits = [/^\}, ([\d_]+)\);$/gm, /^\s*(?:(?:test|it)\b.*)?\{ timeout: (\w+) \},/gm];

test("no test waits for less time than the configuration allows: on a busy machine it would fail", () => {
  const impatient = globSync("**/*.ts", { cwd: folder }).flatMap((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    const found = limits.flatMap((limit) => [...text.matchAll(limit)].map(([, number = ""]) => number));
    const short = found.filter((number) => !(Number(number.replaceAll("_", "")) >= 600_000));
    return [...short, ...(text.match(/\bvi\.wait(?:For|Until)\(/g) ?? [])].map(
      (limit) => `${path}: ${limit}`,
    );
  });
  expect(impatient).toEqual([]);
});
