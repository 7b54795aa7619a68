import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");

test("no test draws by itself: the seed of every random one is known", () => {
  const drawing = globSync("**/*.ts", { cwd: folder }).filter(
    (path) =>
      path !== "seed.ts" &&
      path !== "unit/seed.test.ts" &&
      /from "fast-check"|Math\.random\(/.test(readFileSync(join(folder, path), "utf8")),
  );
  expect(drawing).toEqual([]);
});
