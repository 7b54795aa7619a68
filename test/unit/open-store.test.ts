import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrateStore, openReader, openStore, planMigrations } from "../bank-stores.ts";
import {
  copiesOf,
  fileOf,
  isSharedStore,
  sealKeysOf,
  standardConnections as connections,
  standardReads as reads,
  systemOf,
  urlOfFile,
} from "../../runtime/store/index.ts";
import { institutions, institutionsByName } from "../../runtime/store/tables/index.ts";

const folder = mkdtempSync(join(tmpdir(), "open-store-"));
afterAll(() => rmSync(folder, { recursive: true }));
const options = { migrate: true, reads, connections };
const institution = { id: "021000021", name: "First Bank" };

test("a URL chooses the store", async () => {
  const url = `sqlite:${join(folder, "ledger.sqlite")}`;
  for (const each of [url, "memory:"]) {
    const store = await openStore(each, options);
    await store.write((tx) => tx.insert(institutions, institution));
    expect(await store.read((view) => view.many(institutionsByName))).toEqual([institution]);
    await store.close();
    expect(isSharedStore(each)).toBe(false);
  }
  const reader = await openReader(url, { connections });
  expect(await reader.read((view) => view.many(institutionsByName))).toEqual([institution]);
  await reader.close();
});

test("a URL of no store is refused, without its password", async () => {
  const opened = async () => openStore("mysql://ledger:secret@host/bank", options);
  await expect(opened()).rejects.toThrow(
    /^LEDGER_DATABASE_URL names no store: it starts with one of sqlite:, /,
  );
  await expect(opened()).rejects.not.toThrow(/secret/);
  await expect(openStore("sqlite:", options)).rejects.toThrow(/sqlite:<path>/);
});

test("a store in memory has one process", async () => {
  await expect(openReader("memory:", { connections })).rejects.toThrow(/second process/);
});

test("each store says what it is", async () => {
  const urls = [
    urlOfFile("ledger.sqlite"),
    "postgres://ledger@host/bank",
    "postgresql://host/bank",
    "memory:",
  ];
  expect(urls.map(systemOf)).toEqual(["sqlite", "postgresql", "postgresql", "memory"]);
  expect(urls.map(isSharedStore)).toEqual([false, true, true, false]);
  expect(urls.map(fileOf)).toEqual(["ledger.sqlite", undefined, undefined, undefined]);
});

test("a store is not asked for what it cannot do", async () => {
  const file = /needs a database in an SQLite file: set LEDGER_DATABASE_URL/;
  expect(() => sealKeysOf("memory:")).toThrow(file);
  for (const url of ["memory:", "postgres://host/bank"]) expect(() => copiesOf(url)).toThrow(file);
});

test("migrations are planned before they are applied", async () => {
  const url = `sqlite:${join(folder, "planned.sqlite")}`;
  const planned = await planMigrations(url, options);
  expect(planned).toHaveLength(1);
  expect(planned[0]?.sql).toContain("CREATE TABLE institutions");
  expect(await migrateStore(url, options)).toEqual(planned);
  expect(await planMigrations(url, options)).toEqual([]);
  expect(await migrateStore("memory:", options)).toEqual([]);
});
