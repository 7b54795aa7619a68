import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { unlikePrettier } from "./prettier-style.ts";
import { repository } from "./project.ts";

test("what is generated here reads as Prettier prints it", async () => {
  expect(globSync("generated/*/manifest.json", { cwd: repository })).toHaveLength(3);
  expect(await unlikePrettier(repository, ["generated"])).toEqual([]);
});
