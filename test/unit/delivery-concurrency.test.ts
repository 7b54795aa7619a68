import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { until } from "../until.ts";
import { isFault, openHarness, type Harness } from "./delivery-harness.ts";

let harness: Harness;
const receivers: Receiver[] = [];

beforeEach(async () => {
  harness = await openHarness({ settings: { originConcurrency: 4 } });
});
afterEach(async () => {
  await harness.close();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  expect(harness.failures.filter(isFault)).toEqual([]);
});

/** A receiver that answers at once or when it is told to, and how many requests it had open at once at most. */
async function watched() {
  let most = 0;
  let isHolding = false;
  const open = new Set<() => void>();
  const receiver = await startReceiver((_request, response) => {
    const answer = (): void => {
      open.delete(answer);
      response.writeHead(204).end();
    };
    open.add(answer);
    most = Math.max(most, open.size);
    if (!isHolding) answer();
  });
  receivers.push(receiver);
  return {
    receiver,
    open: () => open.size,
    most: () => most,
    hold: () => void (isHolding = true),
    release(): void {
      isHolding = false;
      for (const answer of open) answer();
    },
  };
}

test("an origin gets no more at once than is configured, however many subscriptions lead to it", async () => {
  const shared = await watched();
  const other = await watched();
  for (const path of ["a", "b", "c"]) await harness.subscribe(`${shared.receiver.url}/${path}`);
  await harness.subscribe(other.receiver.url);
  const publish = async (): Promise<void> => {
    for (let event = 0; event < 10; event += 1) await harness.publish();
  };
  // An endpoint earns its share by answering.
  await publish();
  await Promise.all([shared.receiver.until(30), other.receiver.until(10)]);
  shared.hold();
  other.hold();
  await publish();
  await until(() => shared.open() === 4 && other.open() === 4);
  await publish();
  await harness.claimRound();
  shared.release();
  other.release();
  await Promise.all([shared.receiver.until(90), other.receiver.until(30)]);
  expect([shared.most(), other.most()]).toEqual([4, 4]);
});
