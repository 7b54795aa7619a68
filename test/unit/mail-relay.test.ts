import { describe, expect, test } from "vitest";
import { startMailDispatcher } from "../../runtime/mail/index.ts";
import { UnavailableError, type Clock, type MailMessage, type Store } from "../../runtime/ports/index.ts";
import { createMemoryStore } from "../../runtime/storage/memory/index.ts";
import { sealer } from "../../runtime/system/index.ts";

const message: MailMessage = { to: "a@example.com", subject: "One", text: "123456" };

/** A clock that stands still until it is told to go on. */
function steppingClock() {
  let now = 1_000_000;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    schedule(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  return {
    clock,
    async pass(ms: number): Promise<void> {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function relayOver(
  send: (message: MailMessage) => Promise<void>,
  storeOf = (store: Store): Store => store,
) {
  const { clock, pass } = steppingClock();
  const memory = createMemoryStore();
  const store = storeOf(memory);
  const seal = sealer(new Uint8Array(32).fill(1));
  const failures: { readonly attempt: number; readonly givenUp: boolean }[] = [];
  const relay = startMailDispatcher({
    store,
    sealer: seal,
    clock,
    mailer: { send, close: async () => {} },
    onFailure: ({ attempt, givenUp }) => failures.push({ attempt, givenUp }),
  });
  await memory.transact((tx) =>
    tx.outboxMails.insert({
      id: "1",
      messageSealed: seal.seal(JSON.stringify(message)),
      attempts: 0,
      nextAttemptAt: clock.now(),
      createdAt: clock.now(),
    }),
  );
  const waiting = () => store.read((view) => view.outboxMails.due(Number.MAX_SAFE_INTEGER, 10));
  return { relay, pass, failures, waiting };
}

describe("the mail relay", () => {
  test("sends what is due once and forgets it", async () => {
    const sent: MailMessage[] = [];
    const { relay, pass, waiting } = await relayOver(async (mail) => {
      sent.push(mail);
    });
    relay.wake();
    relay.wake();
    await settled();
    await pass(60_000);
    expect(sent).toEqual([message]);
    expect(await waiting()).toEqual([]);
    await relay.close();
  });

  test("tries again later and later, then gives up and says so", async () => {
    const { relay, pass, failures, waiting } = await relayOver(() => Promise.reject(new Error("refused")));
    relay.wake();
    await settled();
    for (let tries = 0; tries < 12; tries += 1) await pass(3_600_000);
    expect(failures.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(failures.at(-1)).toEqual({ attempt: 6, givenUp: true });
    expect(await waiting()).toEqual([]);
    await relay.close();
  });

  test("a mail that failed once arrives when the server is back", async () => {
    let up = false;
    const sent: MailMessage[] = [];
    const { relay, pass } = await relayOver(async (mail) => {
      if (!up) throw new Error("down");
      sent.push(mail);
    });
    relay.wake();
    await settled();
    up = true;
    await pass(5_000);
    expect(sent).toEqual([message]);
    await relay.close();
  });

  test("a mail that was accepted while the store takes no writes is not sent again", async () => {
    let isFull = true;
    const sent: MailMessage[] = [];
    const { relay, pass, waiting } = await relayOver(
      async (mail) => void sent.push(mail),
      (store) => ({
        ...store,
        transact: (work, options) =>
          isFull ? Promise.reject(new UnavailableError("disk-full")) : store.transact(work, options),
      }),
    );
    relay.wake();
    await settled();
    for (let times = 0; times < 5; times += 1) await pass(5_000);
    expect(sent).toHaveLength(1);
    isFull = false;
    await pass(5_000);
    expect(sent).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    await relay.close();
  });

  test("a mail folder without room costs a mail none of its tries", async () => {
    let isFull = true;
    const sent: MailMessage[] = [];
    const { relay, pass } = await relayOver(async (mail) => {
      if (isFull) throw new UnavailableError("disk-full");
      sent.push(mail);
    });
    relay.wake();
    await settled();
    for (let times = 0; times < 50; times += 1) await pass(3_600_000);
    isFull = false;
    await pass(5_000);
    expect(sent).toHaveLength(1);
    await relay.close();
  });
});
