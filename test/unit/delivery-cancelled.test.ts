import { afterEach, expect, test } from "vitest";
import { cancelAll } from "../../runtime/delivery/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { bank } from "../store-contract/samples.ts";
import { openHarness, type Harness } from "./delivery-harness.ts";

let harness: Harness;
let receiver: Receiver;

afterEach(async () => {
  await harness.close();
  await receiver.close();
});

test("what was cancelled is not begun, although it was claimed before (D-48)", async () => {
  let answer: (() => void) | undefined;
  receiver = await startReceiver((_request, response, { body }) => {
    const end = () => response.writeHead(204).end();
    if (String(body).includes('"sequence":2,')) answer = end;
    else end();
  });
  harness = await openHarness({ settings: { originConcurrency: 1 } });
  const id = await harness.subscribe(receiver.url);
  await harness.publish();
  await harness.until(async () => (await harness.deliveries("DELIVERED")).length === 1);
  for (let count = 0; count < 6; count += 1) await harness.publish();
  await harness.until(() => answer !== undefined);
  await harness.until(async () => (await harness.deliveries("PENDING")).length === 6);
  const subscription = { id, institutionId: bank.id };
  await harness.store.transact((tx) => cancelAll(tx, [subscription], "REVOKED", harness.clock.now()));
  harness.delivery.dropQueued(id);
  await harness.until(async () => (await harness.deliveries("CANCELLED")).length === 6);
  answer?.();
  harness.clock.pass(1);
  await harness.publish();
  await harness.until(async () => (await harness.deliveries("DELIVERED")).length === 2);
  const sequences = receiver.received.map(({ body }) => JSON.parse(String(body)).sequence);
  expect(sequences).toEqual([1, 2, 8]);
  expect(await harness.deliveries("CANCELLED")).toHaveLength(6);
});
