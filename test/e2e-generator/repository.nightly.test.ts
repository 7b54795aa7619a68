import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { unlikePrettier } from "./prettier-style.ts";
import { repository } from "./project.ts";

test("what is generated here reads as Prettier prints it", async () => {
  const manifests = globSync("generated/*/manifest.json", { cwd: repository });
  expect(manifests).toHaveLength(4);
  // Beside these there is what is built, for programs to read.
  const committed = new Set(
    manifests.flatMap((path) => {
      const { files }: { files: object } = JSON.parse(readFileSync(join(repository, path), "utf8"));
      return Object.keys(files).map((file) => `${dirname(path)}/${file}`);
    }),
  );
  const unlike = await unlikePrettier(repository, ["generated"]);
  expect(unlike.filter((path) => committed.has(path))).toEqual([]);
});
