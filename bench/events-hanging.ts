/**
 * `npm run events:hanging`: 1,000 endpoints get events in turns at a steady rate, and each time from commit to
 * receipt is measured. Then 200 of them stop answering, for longer than an attempt takes. Only the 800 that always
 * answer are measured.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { eventOf, numberOf, quantiles, startService } from "./events-service.ts";
import { outboxEvents } from "../runtime/store/tables/index.ts";

const endpoints = 1_000;
const hanging = 200;
const perSecond = Number(process.env["PER_SECOND"] ?? 100);
const seconds = Number(process.env["SECONDS"] ?? 40);

/** Each with an address, and so an origin, of its own. */
const hostOf = (index: number): string => `127.0.${Math.floor(index / 100)}.${(index % 100) + 1}`;

for (const hung of [0, hanging, 0, hanging]) await measure(hung);

async function measure(hung: number): Promise<void> {
  const service = await startService(
    ({ port }) =>
      Array.from({ length: endpoints }, (_, index) => ({
        callbackUrl: `http://${hostOf(index)}:${port}/${index < hung ? "hang" : "hook"}`,
        groupId: [numberOf(index)],
      })),
    { originConcurrency: 32, areFailuresShown: false, isProduction: false },
  );
  const { store, delivery, receiver } = service;
  const committedAt = new Map<string, number>();
  const count = perSecond * seconds;
  // A step that shares no factor with the endpoints: all get their turn, mixed.
  const turns = Array.from({ length: count }, (_, index) => (index * 7) % endpoints);
  const received = receiver.expect(turns.filter((index) => index >= hung).length);
  const startedAt = performance.now();
  for (const [turn, index] of turns.entries()) {
    const due = startedAt + (turn * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const event = eventOf(numberOf(index));
    await store.write((tx) => tx.insert(outboxEvents, event));
    if (index >= hanging) committedAt.set(event.id, performance.timeOrigin + performance.now());
    delivery.pollOutbox();
  }
  const latencies = (await received).flatMap(({ timeMs, eventId }) => {
    const committed = committedAt.get(eventId);
    return committed === undefined ? [] : [timeMs - committed];
  });
  const [p50, p99, most] = quantiles(latencies, [0.5, 0.99, 1]).map((value) => value.toFixed(1));
  console.log(
    `${String(hung).padStart(3)} of ${endpoints} hang: p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`,
  );
  await service.close();
}
