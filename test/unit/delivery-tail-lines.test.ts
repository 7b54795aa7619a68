import { expect, test } from "vitest";
import { createTail } from "../../runtime/events/operations/tail.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { attempt, delivery, event, subscription } from "../store-contract/delivery-samples.ts";
import { bank, user } from "../store-contract/samples.ts";
import {
  institutions,
  users,
  events,
  deliveries,
  deliveryAttempts,
  deliveryByKey,
} from "../../runtime/store/tables/index.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";

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
  await store.write(async (tx) => {
    await tx.insert(institutions, bank);
    await tx.insert(users, user);
    await insertSubscription(tx, subscription);
    const ids = ["ancient", "retried", "tried before", "recent", "new"];
    await tx.insert(events, ...ids.map((id) => ({ ...event, id })));
    await tx.insert(
      deliveries,
      made("ancient", sinceMs - 14 * dayMs - 1),
      made("retried", sinceMs - 14 * dayMs),
      made("tried before", sinceMs - 1),
      made("recent", sinceMs),
    );
    const tried = (deliveryId: string, startedAt: number) => ({ ...attempt, deliveryId, startedAt });
    await tx.insert(
      deliveryAttempts,
      tried("ancient", sinceMs),
      tried("retried", sinceMs),
      tried("tried before", sinceMs - 1),
    );
  });
  const tail = createTail(store, sinceMs);
  const next = async () =>
    (await tail.next()).map((line) => `${line.delivery.id} ${line.attempt?.number ?? 0}`);
  expect(await next()).toEqual(["retried 1", "recent 0"]);
  expect(await next()).toEqual([]);
  await store.write(async (tx) => {
    await tx.insert(deliveryAttempts, {
      ...attempt,
      deliveryId: "retried",
      number: 2,
      startedAt: sinceMs + 1,
    });
    await tx.update(deliveryByKey, { attempts: 2 }, "retried");
    await tx.insert(deliveries, made("new", sinceMs + 2));
  });
  expect(await next()).toEqual(["retried 2", "new 0"]);
});
