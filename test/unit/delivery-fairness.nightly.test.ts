import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { insertParties } from "../store-contract/samples.ts";
import { isFault, openHarness, steppingClock, type Harness } from "./delivery-harness.ts";

const endpoints = 1_000;
const hanging = 200;
const isHanging = (host: string): boolean => Number(/^127\.0\.(\d+)\./.exec(host)?.[1] ?? 0) < 2;
/** Hosts of 100 addresses each: those of the first two hang. */
const hostOf = (index: number): string => `127.0.${Math.floor(index / 100)}.${(index % 100) + 1}`;

let folder: string;
let store: Store;
let harness: Harness;
let server: ReturnType<typeof createServer>;
let port = 0;
const received = new Map<string, number>();
let hung = 0;

beforeEach(async () => {
  received.clear();
  hung = 0;
  folder = mkdtempSync(join(tmpdir(), "ledger-fairness-"));
  store = await openSqliteStore({ file: join(folder, "ledger.sqlite"), migrate: true });
  await store.write(insertParties);
  server = createServer((request, response) => {
    request.resume();
    const [host = ""] = (request.headers.host ?? "").split(":");
    if (isHanging(host)) {
      hung += 1;
      return;
    }
    received.set(host, (received.get(host) ?? 0) + 1);
    response.writeHead(204).end();
  });
  server.listen({ host: "0.0.0.0", port: 0, backlog: 2_000 });
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterEach(async () => {
  await harness.close();
  server.closeAllConnections();
  server.close();
  await store.close();
  rmSync(folder, { recursive: true });
  expect(harness.failures.filter(isFault)).toEqual([]);
});

async function subscribeAll(): Promise<void> {
  for (let index = 0; index < endpoints; index += 1) {
    await harness.subscribe(`http://${hostOf(index)}:${port}/hook`, { id: `s${index}` });
  }
}
const arrived = (): number => received.values().reduce((sum, count) => sum + count, 0);

test("200 endpoints that hang delay none of the other 800, whose events arrive while the clock stands still", async () => {
  harness = await openHarness({ store, clock: steppingClock() });
  await subscribeAll();
  for (let event = 0; event < 3; event += 1) await harness.publish();
  await harness.until(() => arrived() === 3 * (endpoints - hanging));
  expect([...received.values()].every((count) => count === 3)).toBe(true);
  // One at a time for an endpoint that has not answered yet.
  expect(hung).toBe(hanging);
});

test("even where fewer may be in flight than hang: attempts older than a second do not count", async () => {
  const clock = steppingClock();
  const concurrency = 50;
  /** All endpoints are of one user, who has seven eighths of the permits. */
  const held = 44;
  harness = await openHarness({ store, clock, settings: { concurrency } });
  await subscribeAll();
  await harness.publish();
  const isComplete = (): boolean => arrived() === endpoints - hanging;
  let seconds = 0;
  // The clock stands still until attempts that hang hold all permits of the user.
  const isBlocked = (): boolean => hung === held * (seconds + 1);
  for (;;) {
    await harness.until(() => isComplete() || isBlocked());
    if (isComplete()) break;
    clock.pass(1_000);
    seconds += 1;
  }
  expect(seconds).toBeLessThanOrEqual(Math.ceil(hanging / held));
});
