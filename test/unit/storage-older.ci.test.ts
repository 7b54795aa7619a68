import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import {
  migrateStore,
  moveStore,
  openReader,
  openStore,
  planMigrations,
  verifyStore,
} from "../bank-stores.ts";
import { copiesOf, sealKeysOf } from "../../runtime/store/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { writeFormer } from "./former-file.ts";
import { fileForEachTest } from "./storage-folder.ts";

const file = fileForEachTest();

describe.each([
  ["at rest", false],
  ["with a log that was left", true],
])("a file of an older version, %s", (_name, isLeftOpen) => {
  const bytes = (): ReadonlyMap<string, Buffer> =>
    new Map(
      readdirSync(dirname(file()))
        // The index of the log holds no data: readers make it anew.
        .filter((name) => !name.endsWith("-shm"))
        .map((name) => [name, readFileSync(join(dirname(file()), name))]),
    );

  test("is refused by all that would use it, says what to do, and stays as it is", async () => {
    const holder = writeFormer(file(), 21, isLeftOpen);
    const url = `sqlite:${file()}`;
    const before = bytes();
    expect(before.size).toBe(isLeftOpen ? 2 : 1);
    const elsewhere = mkdtempSync(join(tmpdir(), "older-"));
    const progress = { copied: () => undefined, verified: () => undefined };
    const sealer = () => {
      throw new Error("nothing is sealed");
    };
    const uses: readonly (() => Promise<unknown>)[] = [
      async () => openStore(url, optionsUnderTest),
      async () => openStore(url, { ...optionsUnderTest, migrate: false }),
      async () => openReader(url, optionsUnderTest),
      async () => migrateStore(url, optionsUnderTest),
      async () => planMigrations(url, optionsUnderTest),
      async () => verifyStore(url, {}),
      async () => sealKeysOf(url).known(url, schema),
      async () =>
        sealKeysOf(url).rotate(url, schema, { both: sealer, formerKeyId: "", progress: () => undefined }),
      async () =>
        copiesOf(url).backUp(url, schema, join(elsewhere, "copy.sqlite"), { replace: false, progress }),
      async () =>
        copiesOf(url).restore(file(), `sqlite:${join(elsewhere, "new.sqlite")}`, schema, {
          sealer,
          progress,
        }),
      async () => moveStore({ file: file(), url: "postgres://nowhere/none", onProgress: () => undefined }),
    ];
    for (const use of uses) {
      await expect(use(), String(use)).rejects.toThrow(
        /has migration 21, this version begins at 22\. Nothing was changed\. Check out commit cb739801, run `ledger-server migrate`/,
      );
      expect(bytes(), String(use)).toEqual(before);
    }
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(elsewhere, { recursive: true });
    if (isLeftOpen) holder.close();
  });
});
