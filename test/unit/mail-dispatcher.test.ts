import { describe, expect, test } from "vitest";
import { startMailDispatcher } from "../../runtime/mail/index.ts";
import { UnavailableError, type Clock, type MailMessage, type Store } from "../../runtime/ports/index.ts";
import { createMemoryStore } from "../../runtime/storage/memory/index.ts";
import { sealer } from "../../runtime/system/index.ts";

const message: MailMessage = { to: "a@example.com", subject: "One", text: "123456" };

/** A clock that stands still until it is told to go on. The dispatcher sets a timer when it has nothing to do. */
function steppingClock() {
  let now = 1_000_000;
  let timers: { at: number; readonly callback: () => void }[] = [];
  let onTimer: (() => void) | undefined;
  const clock: Clock = {
    now: () => now,
    elapsedMs: () => now,
    schedule(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      onTimer?.();
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  async function idle(): Promise<void> {
    if (timers.length > 0) return;
    await new Promise<void>((resolve) => {
      onTimer = resolve;
    });
  }
  return {
    clock,
    idle,
    /** Timers wait as long as before. */
    setBack(ms: number): void {
      now -= ms;
      for (const timer of timers) timer.at -= ms;
    },
    async pass(ms: number): Promise<void> {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
      await idle();
    },
  };
}

async function startOver(
  send: (message: MailMessage) => Promise<void>,
  storeOf = (store: Store): Store => store,
  count = 1,
) {
  const { clock, idle, pass, setBack } = steppingClock();
  const memory = createMemoryStore();
  const store = storeOf(memory);
  const seal = sealer(new Uint8Array(32).fill(1));
  const failures: { readonly attempt: number; readonly givenUp: boolean }[] = [];
  const dispatcher = startMailDispatcher({
    store,
    sealer: seal,
    clock,
    mailer: { send, close: async () => {} },
    onFailure: ({ attempt, givenUp }) => failures.push({ attempt, givenUp }),
  });
  await memory.transact(async (tx) => {
    for (let id = 1; id <= count; id += 1)
      await tx.outboxMails.insert({
        id: String(id),
        messageSealed: seal.seal(JSON.stringify(message)),
        attempts: 0,
        nextAttemptAt: clock.now(),
        createdAt: clock.now(),
      });
  });
  const waiting = () => store.read((view) => view.outboxMails.due(Number.MAX_SAFE_INTEGER, 10));
  return { dispatcher, idle, pass, setBack, failures, waiting };
}

describe("the mail dispatcher", () => {
  test("sends what is due once and forgets it", async () => {
    const sent: MailMessage[] = [];
    const { dispatcher, idle, pass, waiting } = await startOver(async (mail) => {
      sent.push(mail);
    });
    dispatcher.wake();
    dispatcher.wake();
    await idle();
    await pass(60_000);
    expect(sent).toEqual([message]);
    expect(await waiting()).toEqual([]);
    await dispatcher.close();
  });

  test("tries again later and later, then gives up and says so", async () => {
    const { dispatcher, idle, pass, failures, waiting } = await startOver(() =>
      Promise.reject(new Error("refused")),
    );
    dispatcher.wake();
    await idle();
    for (let tries = 0; tries < 12; tries += 1) await pass(3_600_000);
    expect(failures.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(failures.at(-1)).toEqual({ attempt: 6, givenUp: true });
    expect(await waiting()).toEqual([]);
    await dispatcher.close();
  });

  test("waits 5 s, 30 s, 2 min, 10 min and an hour, and no longer", async () => {
    const { dispatcher, idle, pass, failures } = await startOver(() => Promise.reject(new Error("refused")));
    dispatcher.wake();
    await idle();
    for (const [tries, delayMs] of [5_000, 30_000, 120_000, 600_000, 3_600_000].entries()) {
      // A look comes every five seconds: the last one before the time finds nothing due.
      if (delayMs > 5_000) await pass(delayMs - 5_000);
      expect(failures).toHaveLength(tries + 1);
      await pass(5_000);
      expect(failures).toHaveLength(tries + 2);
    }
    await dispatcher.close();
  });

  test("sends all that is due at once, in portions", async () => {
    const sent: MailMessage[] = [];
    const { dispatcher, idle, waiting } = await startOver(
      async (mail) => void sent.push(mail),
      undefined,
      45,
    );
    dispatcher.wake();
    await idle();
    expect(sent).toHaveLength(45);
    expect(await waiting()).toEqual([]);
    await dispatcher.close();
  });

  test("a mail that failed once arrives when the server is back", async () => {
    let up = false;
    const sent: MailMessage[] = [];
    const { dispatcher, idle, pass } = await startOver(async (mail) => {
      if (!up) throw new Error("down");
      sent.push(mail);
    });
    dispatcher.wake();
    await idle();
    up = true;
    await pass(5_000);
    expect(sent).toEqual([message]);
    await dispatcher.close();
  });

  test("a mail that failed waits no longer where the clock is set back, and no less", async () => {
    let isDown = true;
    const sent: MailMessage[] = [];
    const { dispatcher, idle, pass, setBack } = await startOver(async (mail) => {
      if (isDown) throw new Error("down");
      sent.push(mail);
    });
    dispatcher.wake();
    await idle();
    await pass(5_000);
    isDown = false;
    setBack(2_000);
    await pass(5_000);
    expect(sent).toEqual([]);
    // It was tried twice, and waits for 30 seconds: as long as that, the clock may as well be right.
    setBack(8_000);
    await pass(5_000);
    expect(sent).toEqual([]);
    setBack(5_001);
    await pass(5_000);
    expect(sent).toEqual([message]);
    await dispatcher.close();
  });

  test("a mail that was accepted while the store takes no writes is not sent again", async () => {
    let isFull = true;
    const sent: MailMessage[] = [];
    const { dispatcher, idle, pass, waiting } = await startOver(
      async (mail) => void sent.push(mail),
      (store) => ({
        ...store,
        transact: (work, options) =>
          isFull ? Promise.reject(new UnavailableError("disk-full")) : store.transact(work, options),
      }),
    );
    dispatcher.wake();
    await idle();
    for (let times = 0; times < 5; times += 1) await pass(5_000);
    expect(sent).toHaveLength(1);
    isFull = false;
    await pass(5_000);
    expect(sent).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    await dispatcher.close();
  });

  test("a mail folder without room costs a mail none of its tries", async () => {
    let isFull = true;
    const sent: MailMessage[] = [];
    const { dispatcher, idle, pass } = await startOver(async (mail) => {
      if (isFull) throw new UnavailableError("disk-full");
      sent.push(mail);
    });
    dispatcher.wake();
    await idle();
    for (let times = 0; times < 50; times += 1) await pass(3_600_000);
    isFull = false;
    await pass(5_000);
    expect(sent).toHaveLength(1);
    await dispatcher.close();
  });
});
