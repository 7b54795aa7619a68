import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { openSqliteStore } from "./bank-stores.ts";
import { dirname, join } from "node:path";

/** The bytes of an empty database in the present schema, made once in a process. */
let template: Promise<Buffer> | undefined;

/**
 * Writes an empty database in the present schema. To open it takes a third of the processor time that its migrations
 * take: most tests of a store are about something else.
 */
export async function writeMigratedFile(file: string): Promise<void> {
  template ??= makeTemplate();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, await template, { mode: 0o600 });
}

async function makeTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "migrated-"));
  const file = join(folder, "ledger.sqlite");
  await (await openSqliteStore({ file, migrate: true })).close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}
