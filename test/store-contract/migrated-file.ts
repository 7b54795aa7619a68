import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { migrateStore } from "../../runtime/storage/index.ts";
import { optionsUnderTest } from "./openers.ts";

/** Puts the file of an empty store there, as all migrations leave it: to apply them takes fifty times as long. */
export async function putMigratedFile(file: string): Promise<void> {
  content ??= migratedContent();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, await content, { mode: 0o600 });
}

let content: Promise<Buffer> | undefined;

async function migratedContent(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "migrated-"));
  try {
    const file = join(folder, "ledger.sqlite");
    await migrateStore(`sqlite:${file}`, optionsUnderTest);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
