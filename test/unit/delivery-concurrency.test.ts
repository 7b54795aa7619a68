import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { openHarness, type Harness } from "./delivery-harness.ts";

let harness: Harness;
const receivers: Receiver[] = [];

beforeEach(async () => {
  harness = await openHarness({ settings: { originConcurrency: 4 } });
});
afterEach(async () => {
  await harness.close();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  expect(harness.failures).toEqual([]);
});

/** A receiver that takes a moment, and how many requests it had open at once at most. */
async function watched(): Promise<{ readonly receiver: Receiver; most(): number }> {
  let open = 0;
  let most = 0;
  const receiver = await startReceiver((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(204).end();
    }, 5);
  });
  receivers.push(receiver);
  return { receiver, most: () => most };
}

test("an origin gets no more at once than is configured, however many subscriptions lead to it", async () => {
  const shared = await watched();
  const other = await watched();
  for (const path of ["a", "b", "c"]) await harness.subscribe(`${shared.receiver.url}/${path}`);
  await harness.subscribe(other.receiver.url);
  for (let event = 0; event < 30; event += 1) await harness.publish();
  await Promise.all([shared.receiver.until(90), other.receiver.until(30)]);
  // Earned one after the other, and shared by all three.
  expect([2, 3, 4]).toContain(shared.most());
  expect([2, 3, 4]).toContain(other.most());
});
