import { afterEach, expect, test } from "vitest";
import { cancelAll } from "../../runtime/delivery/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { openRig, type Rig } from "./events-rig.ts";

let rig: Rig;
let receiver: Receiver;

afterEach(async () => {
  await rig.close();
  await receiver.close();
});

test("what was cancelled is not begun, although it was claimed before (D-48)", async () => {
  let answer: (() => void) | undefined;
  receiver = await startReceiver((_request, response, { body }) => {
    const end = () => response.writeHead(204).end();
    if (String(body).includes('"sequence":2,')) answer = end;
    else end();
  });
  rig = await openRig({ settings: { originConcurrency: 1 } });
  const id = await rig.subscribe(receiver.url);
  await rig.announce();
  await rig.until(async () => (await rig.deliveries("DELIVERED")).length === 1);
  for (let count = 0; count < 6; count += 1) await rig.announce();
  await rig.until(() => answer !== undefined);
  await rig.until(async () => (await rig.deliveries("PENDING")).length === 6);
  await rig.store.transact((tx) => cancelAll(tx, id, "REVOKED"));
  rig.delivery.dropQueued(id);
  answer?.();
  await rig.announce();
  await rig.until(async () => (await rig.deliveries("DELIVERED")).length === 2);
  const sequences = receiver.received.map(({ body }) => JSON.parse(String(body)).sequence);
  expect(sequences).toEqual([1, 2, 8]);
  expect(await rig.deliveries("CANCELLED")).toHaveLength(6);
});
