import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { patienceMs } from "../until.ts";
import { schema } from "../../ledger/schema.ts";
import { migrationDisplay } from "../../runtime/operations/cli/progress.ts";
import type { MigrationBegun } from "../../runtime/store/index.ts";
import { versions, applyMigrations } from "../../runtime/store/sqlite/schema.ts";

const folder = mkdtempSync(join(tmpdir(), "migration-display-"));

test("a migration that holds up the process is shown meanwhile: which, for how long, and what it wrote", async () => {
  const [output, growing] = [join(folder, "output"), join(folder, "growing")];
  writeFileSync(growing, Buffer.alloc(3_000_000));
  const descriptor = openSync(output, "w");
  const display = migrationDisplay({ descriptor, isTerminal: false, intervalMs: 10 });
  display.show({ name: "account-lists", step: 2, steps: 5, growing });
  // Nothing else runs on this thread until there is a line.
  const endsAt = performance.now() + patienceMs;
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  while (readFileSync(output, "utf8") === "" && performance.now() < endsAt) Atomics.wait(sleeping, 0, 0, 10);
  await display.end();
  closeSync(descriptor);
  const [line] = readFileSync(output, "utf8").split("\n");
  expect(line).toMatch(/^migrate: step 2 of 5 \(account-lists\), \d+ s, 3 MB written$/);
  rmSync(folder, { recursive: true });
});

test("each migration is told before it is applied", () => {
  const database = new DatabaseSync(":memory:");
  const begun: MigrationBegun[] = [];
  const applied = applyMigrations(database, "file", versions(schema), (each) => begun.push(each));
  expect(begun.map(({ name }) => name)).toEqual(applied.map(({ name }) => name));
  expect(begun.at(-1)).toMatchObject({ step: applied.length, steps: applied.length, growing: "file-wal" });
  database.close();
});
