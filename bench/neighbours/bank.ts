import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Pool } from "undici";
import type { AccountRecord } from "../../ledger/domain/records/accounts.ts";
import type { Store, SubscriptionRecord } from "../../runtime/store/ports/index.ts";
import type { Identity } from "../../ledger/seed/index.ts";
import { openStore } from "../../test/bank-stores.ts";
import { standardConnections, standardReads } from "../../runtime/store/index.ts";
import { sealer } from "../../runtime/operations/system/index.ts";
import { startPostgres, type PostgresServer } from "../../test/postgres/postgres-server.ts";
import { stop, temporaryFolder } from "../harness/processes.ts";
import { startService, type Service } from "../harness/service.ts";
import { startAnswerLoser, type AnswerLoser } from "../../test/postgres/answer-loser.ts";
import {
  startHangingMailServer,
  startReceiver,
  type HangingMailServer,
  type NotificationReceiver,
} from "./receiver.ts";
import { GuardedClient } from "../../runtime/store/postgres/connections.ts";
import { userByName } from "../../runtime/store/tables/index.ts";
import { accountById } from "../../ledger/tables/index.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";

/** The bank of bench/neighbours.ts: its database, its service as a process, and the two users whose calls meet there. */

export type Engine = "sqlite" | "postgres";

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every operation
  readonly json: any;
}

export type Call = (method: string, payload: object, id?: string) => Promise<Answer>;

/** A user of the documented interface with a customer, an account and a subscription of that account. */
export interface Neighbour {
  readonly userName: string;
  readonly call: Call;
  readonly customerId: string;
  readonly account: AccountRecord;
  readonly subscription: SubscriptionRecord;
}

export interface Bank {
  readonly engine: Engine;
  readonly service: Service;
  readonly receiver: NotificationReceiver;
  readonly greedy: Neighbour;
  readonly modest: Neighbour;
  readonly operate: Call;
  /** Loses answers of PostgreSQL to the service. */
  readonly loser?: AnswerLoser;
  readonly mails: HangingMailServer;
  /** File of an SQLite database. */
  readonly file: string;
  /** Resolves when the service ends by itself, or is ended by `close`. */
  readonly ended: Promise<string>;
  /** How many events wait to be published. */
  outbox(): Promise<number>;
  close(): Promise<void>;
}

export interface BankOptions {
  readonly engine: Engine;
  /** Mebibytes of old objects that the service's heap may hold. */
  readonly heapMb: number;
  /** Whether each account's notifications go strictly in order. */
  readonly ordered: boolean;
  /** Writes what the greedy user has, while no service runs. */
  fill(store: Store, greedy: Neighbour): Promise<void>;
}

/** Makes a bank with both users, fills it, and starts the service that is measured. */
export async function openBank({ engine, heapMb, ordered, fill }: BankOptions): Promise<Bank> {
  const dataDir = temporaryFolder();
  const sealKey = randomBytes(32);
  const server = engine === "postgres" ? await startPostgres({ fsync: true }) : undefined;
  await server?.execute("CREATE DATABASE ledger");
  const file = join(dataDir, "ledger.sqlite");
  const url = server?.url("ledger") ?? `sqlite:${file}`;
  const env = {
    ...process.env,
    LEDGER_DATABASE_URL: url,
    LEDGER_SEAL_KEY: sealKey.toString("base64"),
    LEDGER_LOG_LEVEL: "fatal",
    LEDGER_RATE_PER_SECOND: "0",
  };
  const [receiver, mails] = await Promise.all([startReceiver(), startHangingMailServer()]);
  const first = await startService(dataDir, { env, core: allCores });
  const users = await addUsers(first);
  await stop(first.child);

  const seal = sealer(sealKey);
  const store = await openStore(url, {
    migrate: false,
    reads: standardReads,
    connections: standardConnections,
    sealer: () => seal,
  });
  const subscribed = (name: "greedy" | "modest"): Promise<Neighbour> => {
    const secretSealed = seal.seal(`whsec_${randomBytes(32).toString("base64")}`);
    return withSubscription(store, users[name], { callbackUrl: receiver.urlOf(name), secretSealed, ordered });
  };
  const [greedy, modest] = [await subscribed("greedy"), await subscribed("modest")];
  await fill(store, greedy);
  await store.close();

  const loser = server === undefined ? undefined : await startAnswerLoser(server.url("ledger"));
  const limited = {
    ...env,
    LEDGER_DATABASE_URL: loser?.url ?? url,
    LEDGER_MAIL_TRANSPORT: "smtp",
    LEDGER_MAIL_FROM: "ledger@bank.example",
    LEDGER_SMTP_HOST: "127.0.0.1",
    LEDGER_SMTP_PORT: String(mails.port),
    LEDGER_SMTP_SECURITY: "none",
    NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
  };
  const service = await startService(dataDir, { env: limited, core: allCores });
  const count = await outboxCounter(engine, file, server);
  const callers = {
    greedy: signedCaller(service.url, users.greedy.identity),
    modest: signedCaller(service.url, users.modest.identity),
    operator: signedCaller(service.operatorUrl, service.access.operator),
  };
  return {
    engine,
    service,
    receiver,
    mails,
    greedy: { ...greedy, call: callers.greedy.call },
    modest: { ...modest, call: callers.modest.call },
    operate: callers.operator.call,
    ended: once(service.child, "exit").then(() => "the service ended"),
    ...(loser === undefined ? {} : { loser }),
    file,
    outbox: count.now,
    async close() {
      await Promise.all(Object.values(callers).map(({ close }) => close()));
      service.child.kill("SIGKILL");
      await stop(service.child);
      await count.close();
      await loser?.close();
      receiver.close();
      mails.close();
      await server?.close();
    },
  };
}

const allCores = "0,1";

interface NewUser {
  readonly identity: Identity;
  readonly customerId: string;
  readonly accountId: string;
}

async function addUsers({
  url,
  operatorUrl,
  access,
}: Service): Promise<Readonly<Record<"greedy" | "modest", NewUser>>> {
  const operator = signedCaller(operatorUrl, access.operator);
  const add = async (userName: "greedy" | "modest"): Promise<NewUser> => {
    const { customerId } = await result(operator.call, "CreateCustomer", {
      type: "CONSUMER",
      name: userName,
      dateOfBirth: "19920817",
      identification: [{ type: "SSN", value: userName === "greedy" ? "900232346" : "900232347" }],
      contact: { email: `${userName}@example.com`, phoneNumber: "+12125550166" },
      address: { addressLine1: "1 Main St", city: "New York", state: "NY", country: "US", zip: "10013" },
    });
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const text = { type: "spki", format: "pem" } as const;
    const credential = await result(operator.call, "IssueCredential", {
      userName,
      email: `${userName}@example.com`,
      customerIds: [customerId],
    });
    const key = await result(operator.call, "RegisterKey", {
      userName: credential.userName,
      PublicKey: publicKey.export(text).toString(),
    });
    const identity = {
      userName: credential.userName,
      apiKey: credential.apiKey,
      keyId: key.KeyId,
      privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
    const user = signedCaller(url, identity);
    const account = await result(user.call, "CustomerService.AddAccount", {
      customerID: customerId,
      name: `Account of ${userName}`,
      accountType: "SAVINGS",
      currency: "USD",
    });
    await user.close();
    return { identity, customerId, accountId: account.ID };
  };
  const users = { greedy: await add("greedy"), modest: await add("modest") };
  await operator.close();
  return users;
}

const noCall: Call = () => Promise.reject(new Error("no service runs"));

async function withSubscription(
  store: Store,
  { identity: { userName }, customerId, accountId }: NewUser,
  given: Pick<SubscriptionRecord, "callbackUrl" | "secretSealed" | "ordered">,
): Promise<Neighbour> {
  return store.write(async (tx) => {
    const { institutionId = "" } = (await tx.one(userByName, userName)) ?? {};
    const account = await tx.one(accountById, institutionId, accountId);
    if (account === undefined) throw new Error("a user was not added whole");
    const nowMs = Date.now();
    const subscription: SubscriptionRecord = {
      ...given,
      id: randomUUID(),
      institutionId,
      userName,
      name: userName,
      events: ["Account.UPDATE"],
      groupId: [account.number],
      enabled: true,
      createdAt: nowMs,
      updatedAt: nowMs,
    };
    await insertSubscription(tx, subscription);
    return { userName, call: noCall, customerId, account, subscription };
  });
}

/** The result of a call that succeeds. */
async function result(call: Call, method: string, payload: object): Promise<Answer["json"]> {
  const { json } = await call(method, payload);
  if (json.result === undefined) throw new Error(`${method}: ${JSON.stringify(json)}`);
  return json.result;
}

/** Makes signed calls, as many at once as are asked for. */
function signedCaller(url: string, { userName, apiKey, keyId, privateKeyPem }: Identity) {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: 256 });
  const privateKey = createPrivateKey(privateKeyPem);
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  const call: Call = async (method, payload, id = randomUUID()) => {
    const text = JSON.stringify(payload);
    const signature = sign("sha256", Buffer.from(text), privateKey).toString("base64");
    const api = JSON.stringify({ credential, signature, apiKey, keyId });
    const body = `{"method":"${method}","id":"${id}","params":{"api":${api},"payload":${text}}}`;
    const headers = { "content-type": "application/json" };
    const answer = await pool.request({ path, method: "POST", headers, body });
    const answered = await answer.body.text();
    return { status: answer.statusCode, json: answered === "" ? {} : JSON.parse(answered) };
  };
  return { call, close: () => pool.destroy() };
}

const countSql = "SELECT count(*) AS n FROM outbox_events";

/** Counts by a connection of its own, which the service's calls do not wait for. */
async function outboxCounter(engine: Engine, file: string, server: PostgresServer | undefined) {
  if (engine === "sqlite" || server === undefined) {
    const database = new DatabaseSync(file, { readOnly: true });
    return {
      now: async () => Number(database.prepare(countSql).get()?.["n"]),
      close: async () => database.close(),
    };
  }
  const client = new GuardedClient(server.url("ledger"));
  await client.connect();
  return {
    now: async () => Number((await client.query<{ n: string }>(countSql)).rows[0]?.n),
    close: () => client.end(),
  };
}

/** Mebibytes that the service has held at most since its start. */
export function peakMb({ service }: Bank): number {
  const status = readFileSync(`/proc/${service.child.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
