import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UnavailableError } from "../../runtime/store/ports/index.ts";
import { migrateStore, moveStore } from "../bank-stores.ts";
import { namedSession } from "../../runtime/store/move/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";

test("whatever a move asks of a database that goes away meanwhile, the answer names it", async () => {
  const away = () => Promise.reject(new UnavailableError("unreachable"));
  const released: unknown[] = [];
  const release = (error: unknown): void => void released.push(error);
  const session = namedSession("west", { rows: away, rowsOnce: away, change: away, execute: away, release });
  for (const ask of [
    () => session.rows("", []),
    () => session.rowsOnce("", []),
    () => session.change("", []),
    () => session.execute(""),
  ])
    await expect(ask()).rejects.toThrow(/^Database west: .*run the same command again$/);
  session.release("broken");
  expect(released).toEqual(["broken"]);
});

test("a move of a file says that the database to move to is away, and what to do", async () => {
  const folder = mkdtempSync(join(tmpdir(), "move-"));
  const file = join(folder, "ledger.sqlite");
  await migrateStore(`sqlite:${file}`, optionsUnderTest);
  const url = "postgres://ledger@127.0.0.1:1/away";
  await expect(moveStore({ file, url, onProgress: () => undefined })).rejects.toThrow(
    /^Database to move to: the database server cannot be reached.*run the same command again$/,
  );
  rmSync(folder, { recursive: true });
});
