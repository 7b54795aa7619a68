import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { notificationFindings } from "../../conformance/scenario/notification.ts";
import { createReceiver, type Inbox, type Receiver } from "../../conformance/scenario/receiver.ts";
import type { ResolvedShape } from "../../conformance/suite/shape.ts";
import { ledgerSuite } from "./ledger-suite.ts";
import { librarySuite } from "./library-suite.ts";

let receiver: Receiver;
let inbox: Inbox;

beforeEach(async () => {
  receiver = createReceiver({ port: 0 });
  inbox = await receiver.open();
});
afterEach(() => receiver.close());

/** The findings about a posted notification at level `document`. */
async function blamedFor(url: string): Promise<readonly string[]> {
  await fetch(url, { method: "POST", body: "anything" });
  const [arrival] = inbox.arrivals;
  if (arrival === undefined) return ["nothing arrived"];
  const reading = { resolve: (): ResolvedShape => ({ kind: "boolean" }), direction: "response" } as const;
  const expectation = { suite: librarySuite.suite, reading, keys: undefined, secret: undefined };
  const findings = notificationFindings(arrival, { ...expectation, target: inbox.target });
  return findings.filter(({ level }) => level === "document").map(({ found }) => found);
}

test("the document says where notifications are posted, not what they hold", async () => {
  expect(await blamedFor(inbox.url)).toEqual([]);
});

test.each<[string, (url: string) => string]>([
  ["in lower case", (url) => url.toLowerCase()],
  ["without its query", (url) => url.replace(/\?.*$/, "")],
  ["with its query decoded", (url) => url.replace("%2F", "/")],
])("a notification to the address %s is another address", async (_, change) => {
  const { pathname, search } = new URL(change(inbox.url));
  expect(await blamedFor(change(inbox.url))).toEqual([pathname + search]);
});

test.each([
  [-299, []],
  [299, []],
  [-301, ["a timestamp of just now", "webhook-timestamp in seconds, now"]],
  [301, ["a timestamp of just now", "webhook-timestamp in seconds, now"]],
])("a notification made %i s from now is taken within five minutes", (seconds, blamed) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 2, 2) });
  onTestFinished(() => void vi.useRealTimers());
  const madeMs = Date.now() + seconds * 1_000;
  const arrival = {
    target: inbox.target,
    headers: { "webhook-timestamp": String(madeMs / 1_000) },
    body: Buffer.from(JSON.stringify({ timestamp: new Date(madeMs).toISOString() })),
    atMs: Date.now(),
  };
  const { suite } = ledgerSuite();
  const reading = { resolve: (): ResolvedShape => ({ kind: "boolean" }), direction: "response" } as const;
  const expectation = { suite, reading, target: inbox.target, keys: undefined, secret: undefined };
  const expected = notificationFindings(arrival, expectation).map((finding) => finding.expected);
  expect(expected.filter((each) => /^(?:a timestamp|webhook-timestamp)/.test(each))).toEqual(blamed);
});

test("an event that comes again is the same one; another event has an identifier of its own", () => {
  const arrived = (eventId: string, subscriptionId: string, status: string) => ({
    target: "/",
    headers: {},
    body: Buffer.from(JSON.stringify({ eventId, subscriptionId, payload: { status } })),
    atMs: 0,
  });
  const { suite } = ledgerSuite();
  const reading = { resolve: (): ResolvedShape => ({ kind: "boolean" }), direction: "response" } as const;
  const isBlamed = (...parts: Parameters<typeof arrived>): boolean =>
    notificationFindings(arrived(...parts), {
      suite,
      reading,
      target: "/",
      keys: undefined,
      secret: undefined,
      earlier: [arrived("one", "first", "OPEN")],
    }).some(({ expected }) => expected === "an eventId that no other event has");
  expect(isBlamed("one", "first", "OPEN")).toBe(false);
  expect(isBlamed("two", "first", "LENT")).toBe(false);
  // Each subscription shows an event from its own side (D-49).
  expect(isBlamed("one", "second", "LENT")).toBe(false);
  expect(isBlamed("one", "first", "LENT")).toBe(true);
});

test("a notification without the path of its address is a stray; one to an address of an earlier run is none", async () => {
  const { origin, search } = new URL(inbox.url);
  await fetch(`${origin}/Inbox-77${search}`, { method: "POST" });
  expect(receiver.strays).toEqual([]);
  await fetch(origin + search, { method: "POST" });
  expect(receiver.strays).toEqual([`/${search}`]);
});

test("what is left of a wait is told, and nothing is left of one that is over", async () => {
  expect(await inbox.next(0, 1)).toBeLessThanOrEqual(0);
  await fetch(inbox.url, { method: "POST" });
  expect(await inbox.next(0, 60_000)).toBe(60_000);
});
