import { expect, test } from "vitest";
import { createTail } from "../../runtime/delivery/operations/tail.ts";
import { createMemoryStore } from "../../runtime/storage/memory/index.ts";
import { attempt, delivery, event, subscription } from "../store-contract/delivery-samples.ts";
import { bank, user } from "../store-contract/samples.ts";

const dayMs = 86_400_000;
const sinceMs = 100 * dayMs;

test("a tail shows what began since its time, of deliveries as old as they are retried, and then what is new", async () => {
  const store = createMemoryStore();
  const made = (id: string, createdAt: number) => ({
    ...delivery,
    id,
    eventId: id,
    createdAt,
    attempts: 1,
    dueAt: 1,
  });
  await store.transact(async (tx) => {
    await tx.institutions.insert(bank);
    await tx.users.insert(user);
    await tx.subscriptions.insert(subscription);
    const ids = ["ancient", "retried", "tried before", "recent", "new"];
    await tx.events.insertAll(ids.map((id) => ({ ...event, id })));
    await tx.deliveries.insertAll([
      made("ancient", sinceMs - 14 * dayMs - 1),
      made("retried", sinceMs - 14 * dayMs),
      made("tried before", sinceMs - 1),
      made("recent", sinceMs),
    ]);
    const tried = (deliveryId: string, startedAt: number) => ({ ...attempt, deliveryId, startedAt });
    await tx.deliveryAttempts.insertAll([
      tried("ancient", sinceMs),
      tried("retried", sinceMs),
      tried("tried before", sinceMs - 1),
    ]);
  });
  const tail = createTail(store, sinceMs);
  const next = async () =>
    (await tail.next()).map((line) => `${line.delivery.id} ${line.attempt?.number ?? 0}`);
  expect(await next()).toEqual(["retried 1", "recent 0"]);
  expect(await next()).toEqual([]);
  await store.transact(async (tx) => {
    await tx.deliveryAttempts.insertAll([
      { ...attempt, deliveryId: "retried", number: 2, startedAt: sinceMs + 1 },
    ]);
    await tx.deliveries.change("retried", { attempts: 2 });
    await tx.deliveries.insertAll([made("new", sinceMs + 2)]);
  });
  expect(await next()).toEqual(["retried 2", "new 0"]);
});
