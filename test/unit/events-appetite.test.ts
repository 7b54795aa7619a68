import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAppetite } from "../../runtime/events/appetite.ts";
import { newLane, takeNext, takeUnprepared, type Lane } from "../../runtime/events/lane.ts";
import type { Parcel } from "../../runtime/events/relay.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";

test("more is taken once most of what was claimed has begun", async () => {
  const appetite = createAppetite();
  await appetite.returned();
  appetite.claimed(300);
  const returned = appetite.returned();
  const first = (): Promise<string> =>
    Promise.race([returned.then(() => "returned"), eventLoopTurn("nothing yet")]);
  for (let begun = 0; begun < 172; begun += 1) appetite.begun();
  expect(await first()).toBe("nothing yet");
  appetite.begun();
  expect(await first()).toBe("returned");
});

test("what does not begin keeps nobody waiting for good", async () => {
  const appetite = createAppetite();
  appetite.claimed(300);
  await appetite.returned();
  await appetite.returned();
});

test("as much is made ready as is sent soon, each once and in order", () => {
  const lane = laneOf(600, { window: 32 });
  const ready: string[] = [];
  const prepare = (): void => {
    for (const parcel of takeUnprepared(lane)) ready.push(parcel.delivery.id);
  };
  prepare();
  expect(ready).toHaveLength(256);
  const next: (string | undefined)[] = [];
  while (lane.queue.length > 0) {
    next.push(takeNext(lane)?.delivery.id);
    prepare();
    const ahead = new Set(ready.slice(next.length));
    expect(lane.queue.length === 0 || ahead.has(lane.queue[0]?.delivery.id ?? "")).toBe(true);
  }
  expect(ready).toEqual(next);
});

test("an endpoint that has proved nothing has one made ready", () => {
  const lane = laneOf(3, { window: 1 });
  expect(takeUnprepared(lane)).toHaveLength(1);
  expect(takeUnprepared(lane)).toHaveLength(0);
  takeNext(lane);
  expect(takeUnprepared(lane).map((parcel) => parcel.delivery.id)).toEqual(["1"]);
});

function laneOf(count: number, { window }: Pick<Lane, "window">): Lane {
  const lane = newLane("s", 0);
  lane.window = window;
  lane.queue.push(
    ...Array.from({ length: count }, (_, index): Parcel => {
      return { delivery: { ...delivery, id: `${index}` }, event, subscription };
    }),
  );
  return lane;
}
