import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyStore } from "../bank-stores.ts";
import { startPostgres, type PostgresServer } from "../postgres/postgres-server.ts";
import { mulberry32 } from "../random.ts";
import { seed } from "../seed.ts";
import { until } from "../until.ts";
import { contractClient } from "./contract-client.ts";
import { ledgerServerBeside } from "./ledger-server-beside.ts";
import { rawCaller, type RawAnswer, type RawCall } from "./raw-caller.ts";
import { startServer, type RunningServer } from "./server.ts";

/** Work under way while the service, or its database server, is ended by `kill -9`, again and again. */
const kills = 5;
const aliveMsMax = 1_500;
const downMsMax = 1_000;
const settledMs = 10_000;

const folder = mkdtempSync(join(tmpdir(), "ledger-killed-work-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(["SQLite", "PostgreSQL"])("over %s, work that is killed", (engine) => {
  let database: PostgresServer | undefined;
  beforeAll(async () => {
    if (engine === "PostgreSQL") database = await startPostgres({ fsync: true });
  });
  afterAll(() => database?.close());

  test("loses no mail that was promised, while the mail server refuses, hangs and comes back", async () => {
    const random = mulberry32(seed);
    const mails = await startMailServer(random);
    const service = await startKilled(`mails ${engine}`, database, random, {
      LEDGER_MAIL_TRANSPORT: "smtp",
      LEDGER_SMTP_HOST: "127.0.0.1",
      LEDGER_SMTP_PORT: String(mails.port),
      LEDGER_SMTP_SECURITY: "none",
    });
    const promised = new Set<string>();
    const customerId = service.samples.businessCustomerId;
    const representatives: { readonly id: string; readonly email: string }[] = [];
    for (let index = 0; index < 24; index += 1) {
      const email = `rep${index}@northwind.example`;
      const added = await service.operate("AddLegalRep", { customerId, name: `Rep ${index}`, email });
      representatives.push({ id: added.json.result.legalRepId, email });
    }
    await service.killedWhile(async () => {
      const one = representatives[Math.floor(random() * representatives.length)];
      if (one === undefined) throw new Error("there are no representatives");
      const answer = await service.call("CustomerService.CreateLegalRepLogin", { legalrepID: one.id });
      if (answer.code === undefined) promised.add(one.email);
      await service.operate("ResendFailedMails", {});
    });
    mails.heal();
    await until(async () => {
      const { result } = (await service.operate("ListMails", { state: "PENDING", pageSize: 100 })).json;
      for (const { mailId } of result.mails) await service.operate("ResendMail", { mailId });
      await service.operate("ResendFailedMails", {});
      const { mails: pending, failedMails } = (await service.operate("GetBacklog", {})).json.result;
      // The demo data has a mail that fails.
      return pending.count === 0 && failedMails.count === 0;
    });
    expect(promised.size).toBeGreaterThan(0);
    expect([...promised].filter((email) => !mails.accepted.has(email))).toEqual([]);
    await service.close();
    await mails.close();
  });

  test("sends nothing of a user whose revocation was answered, and cancels all of it", async () => {
    const random = mulberry32(seed + 1);
    const receiver = await startEndpoint();
    const service = await startKilled(`revoke ${engine}`, database, random, {});
    const { accountNumber } = service.samples;
    await subscribe(service, receiver.url, 40);
    receiver.status = 503;
    for (let index = 0; index < 40; index += 1) await changeStatus(service, accountNumber, index);
    await until(async () => waitingOf(await service.operate("GetBacklog", {})) >= 1_600);
    let isRevoked = false;
    await service.killedWhile(async () => {
      if (isRevoked) return;
      const answer = await service.operate("RevokeCredential", { userName: service.userName });
      isRevoked = answer.code === undefined;
      if (isRevoked) receiver.status = 204;
    });
    expect(isRevoked).toBe(true);
    const before = receiver.received.length;
    await until(async () => waitingOf(await service.operate("GetBacklog", {})) === 0);
    expect(receiver.received.length).toBe(before);
    await service.close();
    receiver.close();
  });

  test("delivers all that waited beyond the limit of a user", async () => {
    const random = mulberry32(seed + 2);
    const receiver = await startEndpoint();
    const limit = 300;
    const service = await startKilled(`limit ${engine}`, database, random, {
      LEDGER_EVENTS_WAITING_PER_USER_MAX: String(limit),
    });
    const { accountNumber } = service.samples;
    const subscriptions = await subscribe(service, receiver.url, 30);
    receiver.status = 503;
    let changes = 0;
    await service.killedWhile(async () => {
      if (changes < 60 && (await changeStatus(service, accountNumber, changes))) changes += 1;
    });
    while (changes < 60) if (await changeStatus(service, accountNumber, changes)) changes += 1;
    await until(async () => waitingOf(await service.operate("GetBacklog", {})) >= limit);
    expect(waitingOf(await service.operate("GetBacklog", {}))).toBeLessThanOrEqual(limit);
    receiver.status = 204;
    for (let left = Infinity; left > 0;) {
      // Makes due what waits for its next attempt, and what becomes one meanwhile.
      for (const subscriptionId of subscriptions) {
        await service.operate("UpdateSubscription", { subscriptionId, enabled: false });
        await service.operate("UpdateSubscription", { subscriptionId, enabled: true, resume: true });
      }
      await sleep(settledMs);
      const backlog = await service.operate("GetBacklog", {});
      const { events, laneEvents } = backlog.json.result;
      left = waitingOf(backlog) + events.count + laneEvents.count;
    }
    for (const subscriptionId of subscriptions) {
      const own = receiver.received.filter((each) => each.subscriptionId === subscriptionId);
      const sequences = new Set(own.map(({ sequence }) => sequence));
      expect(sequences.size).toBe(Math.max(...sequences));
      expect(sequences.size).toBeGreaterThanOrEqual(changes);
    }
    await service.close();
    receiver.close();
  });
});

test("a killed backup leaves none, whoever of both is killed, and the next one is sound", async () => {
  const random = mulberry32(seed + 3);
  const service = await startKilled("backup", undefined, random, {});
  const customerID = service.samples.consumerCustomerId;
  const add = (index: number) =>
    service.call("CustomerService.AddAccount", {
      customerID,
      name: `Backed up ${index}`,
      accountType: "SAVINGS",
      currency: "USD",
    });
  for (let index = 0; index < 400; index += 40)
    await Promise.all(Array.from({ length: 40 }, (_, within) => add(index + within)));
  const target = (round: number): string => join(service.dataDir, `backup-${round}.sqlite`);
  const found: unknown[] = [];
  let rounds = 0;
  let count = 400;
  await service.killedWhile(async () => {
    const round = (rounds += 1);
    const backup = spawn(process.execPath, ["ledger/cli/main.ts", "backup", target(round)], {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, LEDGER_DATA_DIR: service.dataDir },
      stdio: "ignore",
    });
    const ended = once(backup, "exit");
    for (const kill = sleep(random() * 2 * aliveMsMax).then(() => true); ;) {
      if ((await add((count += 1)).catch(() => undefined)) === undefined) await sleep(20);
      const isOver = await Promise.race([kill, ended.then(() => true), sleep(5).then(() => false)]);
      if (isOver) break;
    }
    backup.kill("SIGKILL");
    await ended;
    // What stands under its name is whole, or nothing does.
    if (!existsSync(target(round))) return;
    const verified = await verifyStore(`sqlite:${target(round)}`, {}).catch((error: unknown) => error);
    found.push(verified);
  });
  expect(found).toEqual(found.map(() => expect.objectContaining({ findings: [] })));
  const last = join(service.dataDir, "last.sqlite");
  const { code } = await ledgerServerBeside(["backup", last], service.dataDir);
  expect(code).toBe(0);
  expect((await verifyStore(`sqlite:${last}`, {})).findings).toEqual([]);
  await service.close();
});

interface KilledService {
  readonly dataDir: string;
  readonly samples: RunningServer["access"]["samples"];
  readonly userName: string;
  readonly call: RawCall;
  readonly operate: RawCall;
  flat(body: object): Promise<string>;
  /** Does the work again and again, while the service or its database is killed. A call that fails is part of it. */
  killedWhile(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

async function startKilled(
  name: string,
  database: PostgresServer | undefined,
  random: () => number,
  env: Readonly<Record<string, string>>,
): Promise<KilledService> {
  const dataDir = join(folder, name.replaceAll(" ", "-"));
  const databaseName = name.toLowerCase().replaceAll(" ", "_");
  await database?.execute(`CREATE DATABASE ${databaseName}`);
  const url = (): string => database?.url(databaseName) ?? `sqlite:${join(dataDir, "ledger.sqlite")}`;
  const start = () =>
    startServer(dataDir, { ...env, LEDGER_RATE_PER_SECOND: "0", LEDGER_DATABASE_URL: url() });
  let server = await start();
  const callerOf = (operator: boolean): RawCall => {
    return (method, payload, id) => {
      const { access } = server;
      const call = operator
        ? rawCaller(access.operatorUrl, access.operator)
        : rawCaller(access.baseUrl, access);
      return call(method, payload, id);
    };
  };
  async function kill(): Promise<void> {
    if (database !== undefined && random() < 0.5) {
      await database.kill();
      await sleep(random() * downMsMax);
      await database.start();
      return;
    }
    const ended = once(server.child, "exit");
    server.child.kill("SIGKILL");
    await ended;
    server = await start();
  }
  return {
    dataDir,
    samples: server.access.samples,
    userName: server.access.userName,
    call: callerOf(false),
    operate: callerOf(true),
    async flat(body) {
      const client = contractClient(server.access.baseUrl, server.access);
      const { subscriptionId, ...answer } = await client.flat(body);
      client.close();
      if (typeof subscriptionId !== "string") throw new Error(JSON.stringify(answer));
      return subscriptionId;
    },
    async killedWhile(work) {
      const over = new AbortController();
      const working = (async () => {
        while (!over.signal.aborted) {
          await work().catch(() => sleep(20));
          await sleep(1);
        }
      })();
      for (let times = 0; times < kills; times += 1) {
        await sleep(random() * aliveMsMax);
        await kill();
      }
      await sleep(aliveMsMax);
      over.abort();
      await working;
    },
    async close() {
      expect(await server.stop()).toBe(0);
      expect((await verifyStore(url(), {})).findings).toEqual([]);
    },
  };
}

async function subscribe(service: KilledService, url: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const subscriptionId = await service.flat({
      name: `killed ${index}`,
      callbackUrl: `${url}${index}`,
      events: ["Account.UPDATE"],
      groupId: [service.samples.accountNumber],
    });
    ids.push(subscriptionId);
    // Every other one is ordered: all but the first of its deliveries wait.
    if (index % 2 === 1) continue;
    const { code } = await service.operate("UpdateSubscription", { subscriptionId, ordered: true });
    expect(code).toBeUndefined();
  }
  return ids;
}

/** Whether it was answered. */
async function changeStatus(service: KilledService, accountNumber: string, index: number): Promise<boolean> {
  const status = ["DORMANT", "CURTAILED", "SUSPENDED", "ACTIVE"][index % 4];
  const payload = { accountNumber, status };
  const answer = await service.call("AccountService.UpdateAccountStatus", payload).catch(() => undefined);
  return answer !== undefined && answer.code === undefined;
}

function waitingOf({ json: { result } }: RawAnswer): number {
  return result.pending.count + result.waiting.count + result.held.count;
}

interface Endpoint {
  readonly url: string;
  status: number;
  readonly received: { readonly subscriptionId: string; readonly sequence: number }[];
  close(): void;
}

/** Notes what it takes. */
async function startEndpoint(): Promise<Endpoint> {
  const server: Server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      if (endpoint.status === 204) endpoint.received.push(JSON.parse(body));
      response.writeHead(endpoint.status).end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${portOf(server.address())}/`,
    status: 204,
    received: [],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return endpoint;
}

/** Accepts a mail, refuses it for now, or takes it and never answers, until it is healed. */
async function startMailServer(random: () => number) {
  const accepted = new Set<string>();
  const hanging: (() => void)[] = [];
  let isHealed = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      stream.resume();
      stream.on("end", () => {
        const kind = isHealed ? 0 : random();
        const refuse = (): void => done(Object.assign(new Error("not now"), { responseCode: 451 }));
        if (kind > 0.7) return void hanging.push(refuse);
        if (kind > 0.4) return refuse();
        for (const { address } of envelope.rcptTo) accepted.add(address);
        done();
      });
    },
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: portOf(server.server.address()),
    accepted,
    heal() {
      isHealed = true;
      // The service would wait for ten minutes: it was sent all of these mails.
      for (const refuse of hanging) refuse();
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return address.port;
}
