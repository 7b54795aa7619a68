import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyStore } from "../bank-stores.ts";
import { buildBank } from "../../bench/accounts/build.ts";

test("a synthetic bank with postings is sound", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bank-"));
  const url = `sqlite:${join(folder, "ledger.sqlite")}`;
  const plan = { accounts: 100, postings: 300, seed: 1, publicKeyPem: "-", apiKey: "0".repeat(32) };
  await buildBank(url, plan, () => {});
  const { findings, isSound } = await verifyStore(url, {});
  expect(findings).toEqual([]);
  expect(isSound).toBe(true);
  rmSync(folder, { recursive: true });
});
