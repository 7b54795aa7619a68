import { describe, expect, onTestFinished, test } from "vitest";
import { startEventDelivery } from "../../runtime/events/index.ts";
import { answerMsMax } from "../../runtime/events/model/loops.ts";
import { startOutcomeWriter } from "../../runtime/events/outcomes/outcome-writer.ts";
import { startMailJobs, type MailJobs, type MailObserver } from "../../runtime/events/mail/mail-jobs.ts";
import { acceptLimitMs } from "../../runtime/events/mail/mailers.ts";
import { MailError } from "../../runtime/events/mail/mail-error.ts";
import {
  UnavailableError,
  type Clock,
  type Mailer,
  type MailMessage,
  type OutboxMailRecord,
  type Store,
} from "../../runtime/store/ports/index.ts";
import type { MailDraft, MailRenderers } from "../../runtime/pipeline/handler-context.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { idSource, sealer } from "../../runtime/operations/system/index.ts";
import { until } from "../until.ts";
import {
  outboxMails,
  mailListing,
  mailOfInstitution,
  attemptsOfMail,
  mailsOfNobody,
} from "../../runtime/store/tables/index.ts";

const lookMs = 5_000;
const attemptMs = 30_000;
const hourMs = 3_600_000;
const message: MailMessage = { to: "ann.rep@example.com", subject: "One", text: "password xyzzy-plugh" };
const seal = sealer(new Uint8Array(32).fill(1));
/** A draft that waits, sealed; its message is written when it is sent. */
const draftOf = (text: string) => seal.seal(JSON.stringify({ kind: "note", to: message.to, body: text }));
const renderers: MailRenderers = {
  operator: "us",
  render: ({ to, body }: MailDraft & { readonly body: string }) => ({ ...message, to, text: body }),
};
const kept: OutboxMailRecord = {
  id: "",
  institutionId: "bank",
  kind: "portal-login",
  recipientId: "rep",
  messageSealed: draftOf(message.text),
  state: "PENDING",
  attempts: 0,
  failures: 0,
  createdAt: 1,
};

/** Written by an earlier release. */
const { institutionId: _none, ...unknown } = kept;

/** A clock that stands still until it is told to go on. */
function steppingClock() {
  let now = 1_000_000;
  let timers: { at: number; readonly delayMs: number; readonly callback: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    elapsedMs: () => now,
    schedule(delayMs, callback) {
      const timer = { at: now + delayMs, delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  return {
    clock,
    count: (delayMs: number) => timers.filter((timer) => timer.delayMs === delayMs).length,
    /** Timers wait as long as before. */
    setBack(ms: number): void {
      now -= ms;
      for (const timer of timers) timer.at -= ms;
    },
    advance(ms: number): void {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
    },
  };
}

interface Setup {
  readonly send: Mailer["send"];
  readonly check?: Mailer["check"];
  readonly storeOf?: (store: Store) => Store;
  readonly mails?: readonly Partial<OutboxMailRecord>[];
  readonly render?: MailRenderers["render"];
}

async function startOver({
  send,
  check = async () => {},
  storeOf = (store) => store,
  mails = [{}],
  render = renderers.render,
}: Setup) {
  const { clock, count, advance, setBack } = steppingClock();
  const memory = createMemoryStore();
  const store = storeOf(memory);
  const ids = { ...idSource(clock), integer: (limit: number) => Math.floor(limit / 2) };
  const failures: { readonly id: string; readonly failure: string; readonly dueInMs: number | undefined }[] =
    [];
  const details: string[] = [];
  const causes: string[] = [];
  await memory.write(async (tx) => {
    for (const [index, mail] of mails.entries())
      await tx.insert(outboxMails, {
        ...(mail.kind === "unknown" ? unknown : kept),
        id: String(index + 1),
        ...(mail.state !== "FAILED" && { dueAt: clock.now() + index }),
        ...mail,
      });
  });
  advance(mails.length);
  const shared = { store, sealer: seal, clock, ids };
  let unstored = 0;
  const writer = startOutcomeWriter({
    ...shared,
    onRecorded(results) {
      unstored -= results.length;
      for (const result of results) if (result.kind === "mail") jobs.recorded(result.mail.id);
    },
    onFailure: () => {},
  });
  const jobs: MailJobs = startMailJobs({
    ...shared,
    claimedBy: "process",
    mailer: { send, check, close: async () => {} },
    renderers: { ...renderers, render },
    results: {
      add(result) {
        unstored += 1;
        writer.add(result);
      },
    },
    observer: {
      sent: () => {},
      failed: ({ id }, { failure, detail, cause }, { dueAt }) => {
        failures.push({ id, failure, dueInMs: dueAt === undefined ? undefined : dueAt - clock.now() });
        details.push(detail);
        causes.push(cause);
      },
      unreachable: () => {},
      internal: () => {},
    },
  });
  onTestFinished(async () => {
    const closing = jobs.close(0);
    advance(0);
    await closing;
    await writer.close();
  });
  /** Nothing is under way but what hangs, and what the store does not take. */
  const idle = (hanging = 0, refused = 0) =>
    until(() => count(attemptMs) === hanging && count(lookMs) > 0 && unstored <= refused);
  return {
    wake: jobs.wake,
    advance,
    clock,
    memory,
    failures,
    details,
    causes,
    setBack,
    idle,
    async pass(ms: number, hanging = 0, refused = 0): Promise<void> {
      advance(ms);
      await idle(hanging, refused);
    },
    async start(hanging = 0, refused = 0): Promise<void> {
      jobs.wake();
      await idle(hanging, refused);
    },
    /** Those that are kept: not what was sent. */
    all: async () => {
      const found = await memory.read((view) =>
        view.page(mailListing({ institutionId: "bank", limit: 1_000 })),
      );
      return found.filter(({ state }) => state !== "SENT");
    },
    find: (id: string) => memory.read((view) => view.one(mailOfInstitution, "bank", id)),
    attempts: (id: string) => memory.read((view) => view.many(attemptsOfMail, id)),
  };
}

const unheard: MailObserver = { sent: () => {}, failed: () => {}, unreachable: () => {}, internal: () => {} };

const unreachable = () => Promise.reject(new MailError("unreachable", "connect ECONNREFUSED"));
const refused = () => Promise.reject(new MailError("refused", "550 5.1.1 <ann.rep@example.com>: unknown"));

describe("mails", () => {
  test("sends what is due once, forgets its text at once and the rest after a week", async () => {
    const sent: MailMessage[] = [];
    const { wake, start, pass, find, attempts } = await startOver({
      send: async (mail) => void sent.push(mail),
    });
    wake();
    await start();
    await pass(60_000);
    expect(sent).toEqual([message]);
    const mail = await find("1");
    expect(mail).toMatchObject({ state: "SENT", attempts: 1 });
    expect(seal.open(mail?.messageSealed ?? "")).toBe("");
    expect(await attempts("1")).toHaveLength(1);
    await pass(7 * 24 * hourMs);
    expect(await find("1")).toBeUndefined();
  });

  test("a mail that an earlier build wrote is sent as it waits, one of an unknown kind is tried again", async () => {
    const sent: MailMessage[] = [];
    const { start, failures, causes } = await startOver({
      send: async (mail) => void sent.push(mail),
      mails: [
        { messageSealed: seal.seal(JSON.stringify(message)) },
        { messageSealed: seal.seal(JSON.stringify({ kind: "plan", to: message.to, text: "secrets" })) },
      ],
      render({ kind }) {
        throw new Error(`no ${kind} of secrets`);
      },
    });
    await start();
    expect(sent).toEqual([message]);
    expect(failures).toMatchObject([{ id: "2", failure: "unsendable" }]);
    expect(causes).toEqual(["no plan of …"]);
  });

  test("sends all that is due, no more than five at a time", async () => {
    let [underWay, most, sent] = [0, 0, 0];
    const send = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      sent += 1;
    };
    const { start, all } = await startOver({ send, mails: Array.from({ length: 45 }, () => ({})) });
    await start();
    expect([sent, most]).toEqual([45, 5]);
    expect(await all()).toEqual([]);
  });

  test("a mail that expires goes ahead of however many others wait", async () => {
    const sent: string[] = [];
    const { start } = await startOver({
      send: async ({ text }) => void sent.push(text),
      mails: [
        ...Array.from({ length: 50 }, (_, index) => ({ messageSealed: draftOf(`login ${index}`) })),
        { kind: "one-time-password", messageSealed: draftOf("later"), expiresAt: 1_900_000 },
        { kind: "one-time-password", messageSealed: draftOf("first"), expiresAt: 1_300_000 },
      ],
    });
    await start();
    expect(sent.slice(0, 3)).toEqual(["first", "later", "login 0"]);
    expect(new Set(sent).size).toBe(52);
  });

  test("a refused mail is tried on the schedule of deliveries, then kept as FAILED with its attempts", async () => {
    const { start, pass, failures, all, attempts } = await startOver({ send: refused });
    await start();
    for (let tries = 0; tries < 11; tries += 1) await pass(24 * hourMs);
    expect(failures.map(({ dueInMs }) => dueInMs)).toEqual([
      5_000,
      300_000,
      1_800_000,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
      undefined,
    ]);
    const [mail] = await all();
    expect(mail).toMatchObject({
      state: "FAILED",
      attempts: 10,
      failures: 10,
      messageSealed: kept.messageSealed,
    });
    expect(mail?.dueAt).toBeUndefined();
    const made = await attempts("1");
    expect(made.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("a mail of an earlier release, which no operator can send again, is tried every day for a month", async () => {
    const { start, pass, failures, memory } = await startOver({
      send: refused,
      mails: [{ kind: "unknown" }],
    });
    await start();
    for (let tries = 0; tries < 12; tries += 1) await pass(24 * hourMs);
    expect(failures).toHaveLength(13);
    expect(failures.at(-1)?.dueInMs).toBe(24 * hourMs);
    const kept = () => memory.read((view) => view.many(mailsOfNobody, 9));
    expect(await kept()).toHaveLength(1);
    for (let tries = 0; tries < 26; tries += 1) await pass(24 * hourMs);
    expect(failures).toHaveLength(39);
    await pass(24 * hourMs);
    expect(failures).toHaveLength(39);
    expect(await kept()).toEqual([]);
  });

  test("a failure is kept as a word, and said in the log without the address and the words of the mail", async () => {
    const said = "550 5.1.1 <ann.rep@example.com>: ann.rep unknown here (xyzzy-plugh)";
    const { start, details, causes, attempts } = await startOver({
      send: () => Promise.reject(new MailError("refused", said, { word: "smtp-550 5.1.1" })),
    });
    await start();
    expect(causes).toEqual(["550 5.1.1 … … unknown here …"]);
    expect(details).toEqual(["smtp-550 5.1.1"]);
    expect((await attempts("1")).map(({ detail }) => detail)).toEqual(details);
  });

  test("while the server cannot be reached it is asked, not tried with each mail; then all go at once", async () => {
    let [isUp, checks, sent] = [false, 0, 0];
    const { start, pass, failures, all } = await startOver({
      send: () => (isUp ? Promise.resolve(void (sent += 1)) : unreachable()),
      check: () => {
        checks += 1;
        return isUp ? Promise.resolve() : unreachable();
      },
      mails: Array.from({ length: 200 }, () => ({})),
    });
    await start();
    for (let minutes = 0; minutes < 90; minutes += 1) await pass(60_000);
    // The five that were under way when the server was found to be gone; they lose none of their attempts.
    expect(failures.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
    expect(checks).toBeGreaterThan(15);
    expect(checks).toBeLessThan(30);
    expect((await all()).every((mail) => mail.state === "PENDING" && mail.failures === 0)).toBe(true);
    isUp = true;
    await pass(6 * 60_000);
    expect(sent).toBe(200);
    expect(await all()).toEqual([]);
  });

  test("a server that answers and then fails gets one mail after each pause", async () => {
    const { start, pass, failures } = await startOver({
      send: () => Promise.reject(new MailError("server", "451 try later")),
      mails: Array.from({ length: 50 }, () => ({})),
    });
    await start();
    expect(failures).toHaveLength(5);
    for (let times = 1; times <= 4; times += 1) {
      await pass(6 * 60_000);
      expect(failures).toHaveLength(5 + times);
    }
  });

  test("a mail that is refused holds up no other, nor does one whose server hangs", async () => {
    const sent: string[] = [];
    const send = (mail: MailMessage) => {
      if (mail.text === "refused") return refused();
      if (mail.text === "hangs") return new Promise<void>(() => {});
      sent.push(mail.text);
      return Promise.resolve();
    };
    const texts = ["hangs", "refused", "refused", "a", "b", "c", "d", "e", "f"];
    const { start, pass, failures } = await startOver({
      send,
      mails: texts.map((text) => ({ messageSealed: draftOf(text) })),
    });
    await start(1);
    expect(sent).toEqual(["a", "b", "c", "d", "e", "f"]);
    await pass(attemptMs);
    expect(failures.map(({ failure }) => failure)).toEqual(["refused", "refused", "timeout"]);
  });

  test("a server that takes long for a mail is waited for, and takes others meanwhile", async () => {
    const sent: string[] = [];
    const { start, pass, failures, find, clock } = await startOver({
      send: (mail, attempt) => {
        sent.push(mail.text);
        if (mail.text !== "slow") return Promise.resolve();
        attempt?.handedOver();
        return new Promise<void>(() => {});
      },
      mails: ["slow", "slow", "slow", "slow", "slow", "slow", "a", "b"].map((text) => ({
        messageSealed: draftOf(text),
      })),
    });
    await start();
    expect(sent.toSorted()).toEqual(["a", "b", "slow", "slow", "slow", "slow", "slow", "slow"]);
    await pass(20_000);
    // No process takes it for one that is left over.
    await until(async () => (await find("1"))?.dueAt === clock.now() + acceptLimitMs + 30_000);
    await pass(acceptLimitMs - 20_001);
    expect([sent.length, failures]).toEqual([8, []]);
    await pass(1);
    await until(() => failures.length === 6);
    expect(new Set(failures.map(({ failure, dueInMs }) => `${failure} ${dueInMs}`))).toEqual(
      new Set([`timeout ${hourMs / 2}`]),
    );
  });

  test("a server that receives mails and takes none gets twenty at once, then one after each pause", async () => {
    let sent = 0;
    const { start, pass } = await startOver({
      send: (_mail, attempt) => {
        sent += 1;
        attempt?.handedOver();
        return new Promise<void>(() => {});
      },
      mails: Array.from({ length: 50 }, () => ({})),
    });
    await start();
    expect(sent).toBe(20);
    await pass(acceptLimitMs);
    await pass(6 * 60_000);
    expect(sent).toBe(21);
  });

  test("a mail that the server receives again and again, and drops the connection, is given up at last", async () => {
    let sent = 0;
    const { start, pass, failures } = await startOver({
      send: (_mail, attempt) => {
        sent += 1;
        attempt?.handedOver();
        return Promise.reject(new MailError("server", "Connection closed unexpectedly"));
      },
    });
    await start();
    for (let tries = 0; tries < 12; tries += 1) await pass(24 * hourMs);
    expect(sent).toBe(8);
    expect(failures.map(({ failure, dueInMs }) => [failure, dueInMs])).toEqual(
      [0.5, 2, 5, 10, 14, 20, 24, undefined].map((hours) => [
        "server",
        hours === undefined ? undefined : hours * hourMs,
      ]),
    );
  });

  test("a mail that expired is dropped and not tried, whatever its state and the server's", async () => {
    let sent = 0;
    const expired = { kind: "one-time-password", expiresAt: 1_000_000 } as const;
    const { start, all } = await startOver({
      send: async () => void (sent += 1),
      mails: [expired, { ...expired, state: "FAILED", failedAt: 5 }],
    });
    await start();
    expect(sent).toBe(0);
    expect(await all()).toEqual([]);
  });

  test("a mail whose claim a former process left is sent at the start, among the jobs of delivery", async () => {
    const { clock, advance } = steppingClock();
    const store = createMemoryStore();
    const sent: MailMessage[] = [];
    const failures: unknown[] = [];
    await store.write((tx) =>
      tx.insert(outboxMails, { ...kept, id: "1", claimedBy: "former", dueAt: clock.now() + hourMs }),
    );
    const delivery = await startEventDelivery({
      store,
      clock,
      ids: idSource(clock),
      sealer: seal,
      userAgent: "test",
      isOnlyProcess: true,
      settings: {
        httpCallbacks: true,
        networksAllowed: [],
        portsAllowed: [],
        concurrency: 8,
        originConcurrency: 8,
        timeoutMs: 15_000,
        retentionDays: 30,
        waitingPerUserMax: 1_000,
      },
      mails: {
        mailer: { send: async (mail) => void sent.push(mail), check: async () => {}, close: async () => {} },
        observer: { ...unheard, internal: (error) => failures.push(error) },
        renderers,
      },
      observer: {
        attempted: () => {},
        deadLetter: () => {},
        disabled: () => {},
        failed: (error) => failures.push(error),
      },
    });
    const isSent = async () =>
      (await store.read((view) => view.one(mailOfInstitution, "bank", "1")))?.state === "SENT";
    await until(isSent);
    const closing = delivery.close(0);
    advance(0);
    await closing;
    expect([sent, failures]).toEqual([[message], []]);
  });

  test("a mail that failed waits no longer where the clock is set back, and no less", async () => {
    let isDown = true;
    const sent: MailMessage[] = [];
    const { start, pass, setBack, failures } = await startOver({
      send: (mail) => (isDown ? refused() : Promise.resolve(void sent.push(mail))),
    });
    await start();
    await pass(5_000);
    expect(failures).toHaveLength(2);
    isDown = false;
    // It was tried twice and waits for 5 minutes, 6 with the largest jitter: as long as that, the clock may be right.
    setBack(60_000);
    await pass(5_000);
    expect(sent).toEqual([]);
    setBack(12_000);
    await pass(5_000);
    expect(sent).toEqual([message]);
  });

  test("a mail that was accepted while the store takes no writes is not sent again", async () => {
    let isFull = false;
    const sent: MailMessage[] = [];
    const { start, pass, all } = await startOver({
      send: async (mail) => {
        sent.push(mail);
        isFull = true;
      },
      storeOf: (store) => ({
        ...store,
        write: (work, options) =>
          isFull ? Promise.reject(new UnavailableError("disk-full")) : store.write(work, options),
      }),
    });
    await start(0, 1);
    for (let times = 0; times < 30; times += 1) await pass(5_000, 0, 1);
    expect(sent).toHaveLength(1);
    isFull = false;
    await pass(5_000, 0, 1);
    await until(async () => (await all()).length === 0);
    expect(sent).toHaveLength(1);
  });

  test("a claim whose COMMIT is not answered is found by the next look; the mail does not wait for its end", async () => {
    let isLost = true;
    const sent: MailMessage[] = [];
    const { start, pass, find } = await startOver({
      send: async (mail) => void sent.push(mail),
      storeOf: (store) => ({
        ...store,
        async write(work, options) {
          const done = await store.write(work, options);
          if (isLost) throw new Error("the connection was lost");
          return done;
        },
      }),
    });
    await start();
    expect([sent, (await find("1"))?.claimedBy]).toEqual([[], "process"]);
    isLost = false;
    await pass(lookMs);
    expect(sent).toEqual([message]);
    expect(await find("1")).toMatchObject({ state: "SENT", attempts: 1 });
  });

  test("a result whose COMMIT is not answered is stored once, and holds up no other mail", async () => {
    const hung = Promise.withResolvers<void>();
    onTestFinished(() => hung.resolve());
    let isHanging = false;
    const sent: string[] = [];
    const { wake, idle, advance, memory, find, attempts } = await startOver({
      send: async ({ text }) => {
        sent.push(text);
        isHanging = text === message.text;
      },
      storeOf: (store) => ({
        ...store,
        async write(work, options) {
          const done = await store.write(work, options);
          if (!isHanging) return done;
          isHanging = false;
          await hung.promise;
          return done;
        },
      }),
    });
    wake();
    await until(async () => (await find("1"))?.state === "SENT");
    await memory.write((tx) =>
      tx.insert(outboxMails, {
        ...kept,
        id: "2",
        messageSealed: draftOf("other"),
        dueAt: 1,
      }),
    );
    wake();
    await until(async () => {
      advance(250);
      return (await find("2"))?.state === "SENT";
    });
    advance(answerMsMax);
    await idle();
    expect(sent).toEqual([message.text, "other"]);
    expect((await attempts("1")).length).toBe(1);
  });

  test("a mail folder without room costs a mail none of its tries", async () => {
    let isFull = true;
    const sent: MailMessage[] = [];
    const { start, pass, failures } = await startOver({
      send: async (mail) => {
        if (isFull) throw new UnavailableError("disk-full");
        sent.push(mail);
      },
    });
    await start();
    for (let times = 0; times < 50; times += 1) await pass(hourMs);
    isFull = false;
    await pass(5_000);
    expect(sent).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});
