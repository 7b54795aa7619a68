import { expect, test } from "vitest";
import { createJobChecks } from "../../runtime/events/dispatch/job-checks.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";
import { insertParties } from "../store-contract/samples.ts";
import { describeChanges } from "./delivery-changes.ts";
import { steppingClock } from "./delivery-harness.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";

describeChanges("a subscription that changes while several processes deliver", async () => {
  const store = createMemoryStore();
  return { open: async () => store, dispose: () => store.close() };
});

test("jobs that are checked in one turn share a question, and a lost answer holds up no other", async () => {
  const memory = createMemoryStore();
  await memory.write(async (tx) => {
    await insertParties(tx);
    await insertSubscription(tx, subscription);
  });
  let questions = 0;
  const never = new Promise<never>(() => undefined);
  const clock = steppingClock();
  const checks = createJobChecks({
    clock,
    onFailure: () => undefined,
    store: {
      read: (work) => {
        questions += 1;
        return questions === 1 ? never : memory.read(work);
      },
    },
  });
  const job = { delivery, event, subscription };
  const lost = Array.from({ length: 50 }, () => checks.check(job));
  await new Promise((resolve) => setImmediate(resolve));
  const moved = { ...job, subscription: { ...subscription, callbackUrl: "https://former.example/" } };
  const answered = await Promise.all([checks.check(job), checks.check(moved)]);
  expect(answered.map(({ kind }) => kind)).toEqual(["current", "changed"]);
  expect(questions).toBe(2);
  // The lost question is asked once more.
  clock.pass(250);
  expect(new Set((await Promise.all(lost)).map(({ kind }) => kind))).toEqual(new Set(["current"]));
  expect(questions).toBe(3);
});
