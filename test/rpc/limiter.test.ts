import { describe, expect, test } from "vitest";
import { createCallLimiter, type PeerCalls } from "../../runtime/service/limiter.ts";
import { fc, runs } from "../seed.ts";

const peerOf = (address: string): PeerCalls => ({ address, atWork: 0, waiting: 0 });

/** A limiter and its calls: `at` sends one, and notes when it may begin or is refused. */
function trial(atOnce: number, queued: number) {
  const limiter = createCallLimiter(atOnce, queued);
  const begun: string[] = [];
  const refused: string[] = [];
  const never = new AbortController().signal;

  return {
    begun,
    refused,
    async send(name: string, of: PeerCalls, signal = never): Promise<void> {
      ((await limiter.enter(of, signal)) ? begun : refused).push(name);
    },
    end: (of: PeerCalls) => limiter.leave(of),
  };
}

describe("places for calls", () => {
  test("go to the address that has fewest at work, then to its peer that has fewest", async () => {
    const { send, end, begun } = trial(3, 10);
    const [greedy, other, first, second] = [peerOf("a"), peerOf("a"), peerOf("b"), peerOf("b")];
    const sent = [send("a1", greedy), send("a2", greedy), send("b1", first)];
    sent.push(send("a3", greedy), send("a4", other), send("b2", first), send("b3", second));
    for (const each of [greedy, greedy, first, other]) {
      await Promise.resolve();
      end(each);
    }
    await Promise.all(sent);
    expect(begun).toEqual(["a1", "a2", "b1", "a4", "b3", "a3", "b2"]);
  });

  test("an eighth of them is left to addresses that have none at work", async () => {
    const { send, end, begun } = trial(16, 10);
    const [many, one, another, third] = [peerOf("many"), peerOf("1"), peerOf("2"), peerOf("3")];
    const held = Array.from({ length: 15 }, (_, at) => send(`many ${at}`, many));
    await Promise.all(held.slice(0, 14));
    await Promise.all([send("one", one), send("another", another)]);
    expect(begun.slice(14)).toEqual(["one", "another"]);
    const waiting = [send("third", third), send("one again", one)];
    end(many);
    await waiting[0];
    expect(begun.slice(16)).toEqual(["third"]);
    for (const each of [one, another, third, many]) end(each);
    await Promise.all([...held, ...waiting]);
    expect(begun.slice(17)).toEqual(["one again", "many 14"]);
  });

  test("where the queue is full, the address that has most loses its last call", async () => {
    const { send, end, begun, refused } = trial(1, 2);
    const many = Array.from({ length: 4 }, () => peerOf("many"));
    const sent = many.map((each, at) => send(`many ${at}`, each));
    await sent[3];
    expect(refused).toEqual(["many 3"]);
    const one = peerOf("one");
    sent.push(send("one", one));
    await sent[2];
    // The one that asks has as many now as that address would have left.
    await send("one more", one);
    expect(refused).toEqual(["many 3", "many 2", "one more"]);
    for (const each of [peerOf("many"), one]) end(each);
    await Promise.all(sent);
    expect(begun).toEqual(["many 0", "many 1", "one"]);
  });

  test("are never free while a call that may have one waits, and every call ends", () => {
    const step = fc.record({ address: fc.nat(3), peer: fc.nat(1), ends: fc.boolean(), leaves: fc.boolean() });
    return fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        const { send, end, begun, refused } = trial(8, 6);
        const peers = [0, 1, 2, 3].map((at) => [peerOf(`${at}`), peerOf(`${at}`)] as const);
        const sent: Promise<void>[] = [];
        const abandon: AbortController[] = [];
        const atWork = () => peers.flat().filter((each) => each.atWork > 0);
        const sumOf = (of: readonly PeerCalls[], count: "atWork" | "waiting"): number =>
          of.reduce((sum, each) => sum + each[count], 0);
        for (const { address, peer, ends, leaves } of steps) {
          const [first] = atWork().slice(address % Math.max(1, atWork().length));
          if (leaves) abandon[address]?.abort();
          if (ends && first !== undefined) end(first);
          else {
            const of = peers[address]?.[peer] ?? peerOf("none");
            const controller = new AbortController();
            abandon[address] = controller;
            sent.push(send(`${sent.length}`, of, controller.signal));
          }
          const busy = sumOf(peers.flat(), "atWork");
          expect(busy).toBeLessThanOrEqual(8);
          expect(sumOf(peers.flat(), "waiting")).toBeLessThanOrEqual(6);
          for (const pair of peers) {
            if (sumOf(pair, "waiting") === 0) continue;
            expect(busy).toBeGreaterThanOrEqual(sumOf(pair, "atWork") === 0 ? 8 : 7);
          }
        }
        for (let [first] = atWork(); first !== undefined; [first] = atWork()) end(first);
        await Promise.all(sent);
        expect(begun.length + refused.length).toBe(sent.length);
      }),
      { numRuns: runs(200) },
    );
  });
});
