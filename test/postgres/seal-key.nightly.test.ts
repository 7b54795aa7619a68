import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { openStore } from "../bank-stores.ts";
import { sealKeysOf } from "../../runtime/store/index.ts";
import { sealer, sealKeyId } from "../../runtime/operations/system/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { bank, customer, insertParties } from "../store-contract/samples.ts";
import { emptyDatabase } from "./databases.ts";
import { customers, customerById } from "../../ledger/tables/index.ts";

const [former, next] = [randomBytes(32), randomBytes(32)];

test("everything is sealed with a new key, over an interruption, while no service runs", async () => {
  const { url, execute } = await emptyDatabase();
  const open = (key: Uint8Array) => openStore(url, { ...optionsUnderTest, sealer: () => sealer(key) });
  const identification = [{ type: "SSN" as const, value: "900771123" }];
  const running = await open(former);
  await running.write(async (tx) => {
    await insertParties(tx);
    await tx.replace(customers, { ...customer, identification });
  });
  const rotate = (progress: () => void) =>
    sealKeysOf(url).rotate(url, schema, {
      both: () => sealer(next, former),
      formerKeyId: sealKeyId(former),
      progress,
    });
  const ignored = () => undefined;
  await expect(rotate(ignored)).rejects.toThrow("stop every `ledger-server` first");
  await running.close();

  const interrupted = rotate(() => {
    throw new Error("interrupted");
  });
  await expect(interrupted).rejects.toThrow("interrupted");
  await expect(open(former)).rejects.toThrow(`is sealed with key ${sealKeyId(next)}`);
  await expect(open(next)).rejects.toThrow("was interrupted. Finish it with both keys");
  await rotate(ignored);
  expect(await sealKeysOf(url).known(url, schema)).toEqual({ current: sealKeyId(next), isSealed: true });
  const sealed = await execute("SELECT identification FROM customers");
  expect(JSON.stringify(sealed)).toContain(`v2.${sealKeyId(next)}.`);
  expect(JSON.stringify(sealed)).not.toContain(sealKeyId(former));
  const store = await open(next);
  const found = await store.read((view) => view.one(customerById, bank.id, customer.id));
  expect(found?.identification).toEqual(identification);
  await store.close();
});
