import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { expect } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { partnerInterface } from "../../generated/partner/methods.ts";
import { auditedBySystem } from "../../runtime/store/audit/index.ts";
import type { PayloadValidator } from "../../runtime/contract/index.ts";
import { shareAtRisk, type Rules } from "../../ledger/domain/rules.ts";
import { idSource, sealer } from "../../runtime/operations/system/index.ts";
import { ledgerHandlers } from "../../ledger/handlers/ledger/index.ts";
import { operatorHandlers } from "../../ledger/handlers/operator/index.ts";
import { partnerHandlers } from "../../ledger/handlers/partner/index.ts";
import {
  createCallers,
  createPipeline,
  createVerifier,
  type Pipeline,
} from "../../runtime/pipeline/index.ts";
import { signedEnvelope } from "../../runtime/auth/index.ts";
import type { Clock, OutboxEventRecord, Store, Writes, UserRecord } from "../../runtime/store/ports/index.ts";
import type { Policy } from "../../runtime/pipeline/handler-context.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { institutions, users, apiKeys, deviceKeys, oldestEvents } from "../../runtime/store/tables/index.ts";
import { notingMails, type QueuedMail } from "./queued-mails.ts";

/** The two institutions of the tests, by routing number. */
export const firstBank = "091000019";
export const otherBank = "091000020";
/** A routing number that no institution here has: an outside party's. */
export const outside = "011000138";

const keyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const publicKeyPem = keyPair.publicKey.export({ type: "spki", format: "pem" });
const apiKey = "00112233445566778899aabbccddeeff";
const startMs = Date.UTC(2026, 2, 2, 12);

/** What comes back: exactly one of the two. */
export interface Answer {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly result?: any;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly data?: { readonly field?: string; readonly reason?: string };
  };
  /** The whole body, as sent. */
  readonly text: string;
}

export interface SignedBy {
  readonly userName: string;
  readonly apiKey?: string;
  readonly keyId?: string;
  readonly privateKey?: KeyObject;
}

/** A running bank with its interfaces over one store, in memory unless told: every call is signed and takes the whole way. */
export interface Bank {
  readonly store: Store;
  readonly clock: Clock & { advance(byMs: number): void };
  readonly mails: readonly QueuedMail[];
  /** The documented interface's. */
  readonly ledgerPipeline: Pipeline;
  /** A call of the documented interface, by `teller` of the first bank unless said otherwise. */
  ledger(method: string, payload: object | string, by?: string | SignedBy): Promise<Answer>;
  /** A call of the operator interface, by `operator` of the first bank unless said otherwise. */
  operator(method: string, payload: object | string, by?: string | SignedBy): Promise<Answer>;
  /** A call of the partner interface, by `teller` of the first bank unless said otherwise. */
  partner(method: string, payload: object | string, by?: string | SignedBy): Promise<Answer>;
  /** A user of the tests' own: all have the same API key and the key `key-<userName>`. */
  addUser(user: Pick<UserRecord, "userName"> & Partial<UserRecord>): Promise<void>;
  /** The events written since the last call, each checked against its documented shape. */
  takeEvents(): Promise<readonly TakenEvent[]>;
}

export interface TakenEvent {
  readonly name: string;
  readonly topics: readonly string[];
  readonly group: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into payloads of every shape
  readonly payload: any;
}

const lenient: Policy & Rules = {
  interfaces: ["ledger"],
  closedIsFinal: false,
  overdraft: "allow",
  subscriptionsPerUserMax: 1_000,
  closing: "any",
  httpCallbacks: false,
};

/** Opens a bank with two institutions and their users, with their audit entries unless without is wanted. */
export async function openBank(
  policy: Partial<Policy & Rules> = {},
  store: Store = createMemoryStore(),
  isAudited = true,
): Promise<Bank> {
  const bank = bankOver(store, policy, isAudited);
  await store.write(async (plain) => {
    for (const [id, name] of [
      [firstBank, "First Bank"],
      [otherBank, "Other Bank"],
    ] as const) {
      const institution = { institutionId: id, operation: "test", clock: bank.clock };
      await (isAudited ? auditedBySystem(plain, institution) : plain).insert(institutions, { id, name });
    }
  });
  await bank.addUser({ userName: "teller" });
  await bank.addUser({ userName: "operator", realm: "operator" });
  await bank.addUser({ userName: "other-teller", institutionId: otherBank });
  await bank.addUser({ userName: "other-operator", institutionId: otherBank, realm: "operator" });
  return bank;
}

/** A bank over what a store holds already. A store that another bank wrote wants a `seed` of identifiers of its own. */
export function bankOver(store: Store, policy: Partial<Policy> = {}, isAudited = true, seed = 1): Bank {
  const clock = manualClock();
  const mails: QueuedMail[] = [];
  const ids = idSource(clock, randomBytes(seed));
  const callers = createCallers({ store, clock, ttlMs: 60_000, entriesMax: 100 });
  const shared = {
    ports: {
      store,
      clock,
      ids,
      sealer: notingMails(sealer(new Uint8Array(32)), mails),
      context: { riskScorer: shareAtRisk, rules: { ...lenient, ...policy } },
      policy: { ...lenient, ...policy },
    },
    callers,
    verifier: createVerifier(),
    eventSource: "CORE_LEDGER",
    eventInterface: ledgerInterface,
    log: {
      error(fields: object) {
        throw new Error("an internal fault", { cause: fields });
      },
    },
  };
  const ledger = createPipeline({
    ...shared,
    interfaceDescriptor: ledgerInterface,
    handlers: ledgerHandlers,
    realm: "ledger",
    auth: signedEnvelope({
      proofOfPossession: { method: "KeyService.CompleteRegisterDevice", field: "PublicKey" },
    }),
  });
  const operator = createPipeline({
    ...shared,
    interfaceDescriptor: operatorInterface,
    handlers: operatorHandlers,
    realm: "operator",
    auth: signedEnvelope(),
  });
  const partner = createPipeline({
    ...shared,
    interfaceDescriptor: partnerInterface,
    handlers: partnerHandlers,
    realm: "ledger",
    auth: signedEnvelope({
      proofOfPossession: { method: "AcceptInvitation", field: "PublicKey", byInvitation: true },
    }),
  });

  const writing = (tx: Writes, institutionId: string): Writes =>
    isAudited ? auditedBySystem(tx, { institutionId, operation: "test", clock }) : tx;
  const addUser: Bank["addUser"] = async (user) => {
    const { institutionId = firstBank } = user;
    await store.write(async (plain) => {
      const tx = writing(plain, institutionId);
      await tx.insert(users, {
        institutionId,
        realm: "ledger",
        email: `${user.userName}@bank.example`,
        scopes: ["*"],
        otpFailures: 0,
        createdAt: clock.now(),
        ...user,
      });
      const hash = createHash("sha256").update(apiKey).digest("hex");
      const { userName } = user;
      await tx.insert(apiKeys, { id: `api-${userName}`, userName, hash, createdAt: clock.now() });
      await tx.insert(deviceKeys, {
        keyId: `key-${userName}`,
        userName,
        publicKeyPem: publicKeyPem.toString(),
        status: "ACTIVE",
        createdAt: clock.now(),
      });
    });
  };
  let eventsTaken = 0;
  return {
    store,
    clock,
    mails,
    ledgerPipeline: ledger,
    addUser,
    ledger: (method, payload, by = "teller") => call(ledger, method, payload, by),
    operator: (method, payload, by = "operator") => call(operator, method, payload, by),
    partner: (method, payload, by = "teller") => call(partner, method, payload, by),
    async takeEvents() {
      const all = await store.read((view) => view.many(oldestEvents, 10_000));
      const fresh = all.slice(eventsTaken);
      eventsTaken = all.length;
      return Promise.all(fresh.map((event) => checkedEvent(event)));
    },
  };
}

let calls = 0;

/** A signed call as it is sent. */
export interface SignedCall {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isFlat: boolean;
}

/** Signs a call by the key that all users of the tests have. */
export function signedCall(
  method: string,
  payload: object | string,
  by: string | SignedBy,
  isFlat = method === "CreateSubscription" || method === "GetSource",
): SignedCall {
  calls += 1;
  const signer = typeof by === "string" ? { userName: by } : by;
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const signature = sign("sha256", Buffer.from(text), signer.privateKey ?? keyPair.privateKey).toString(
    "base64",
  );
  const key = signer.apiKey ?? apiKey;
  const credential = `Basic ${Buffer.from(`${signer.userName}:${key}`).toString("base64")}`;
  const keyId = signer.keyId ?? `key-${signer.userName}`;
  const api = JSON.stringify({ credential, keyId, signature, apiKey: key });
  const headers: Readonly<Record<string, string>> = isFlat
    ? {
        authorization: credential,
        signature: `keyId=${keyId},algorithm=ecdsa-sha256,signature=${signature}`,
      }
    : {};
  const body = isFlat
    ? text
    : `{"method":"${method}","id":"${calls}","params":{"api":${api},"payload":${text}}}`;
  return { body, headers, isFlat };
}

async function call(
  pipeline: Pipeline,
  method: string,
  payload: object | string,
  by: string | SignedBy,
): Promise<Answer> {
  const { body, headers, isFlat } = signedCall(
    method,
    payload,
    by,
    pipeline.name === "ledger" ? undefined : false,
  );
  const answer = await pipeline.answer({
    body: Buffer.from(body),
    requestId: `request-${calls}`,
    httpMethod: "POST",
    target: pipeline.path,
    header: (name) => [headers[name] ?? []].flat(),
  });
  const parsed = JSON.parse(answer.body);
  if (parsed.error !== undefined) return { error: parsed.error, text: answer.body };
  return { result: isFlat ? parsed : parsed.result, text: answer.body };
}

async function checkedEvent(event: OutboxEventRecord): Promise<TakenEvent> {
  const payload: unknown = JSON.parse(event.payloadJson);
  await expectValid(`${pascal(event.name)}Event`, payload);
  const { name, topics, group } = event;
  return { name, topics, group, payload };
}

/** What is sent fits the generated schema of what is sent. */
async function expectValid(type: string, value: unknown): Promise<void> {
  const module = new URL("../../generated/ledger/validators/events.js", import.meta.url).href;
  const validators: Readonly<Record<string, PayloadValidator>> = await import(/* @vite-ignore */ module);
  const validate = validators[`validate${type}`];
  if (validate === undefined) throw new Error(`there is no validator of ${type}`);
  const fits = validate(value);
  expect(fits ? [] : [type, validate.errors]).toEqual([]);
}

/** `Account.NEW` as `AccountNew`. */
function pascal(name: string): string {
  return name
    .replaceAll(/[A-Za-z]+\.?/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .replaceAll(".", "");
}

function manualClock(): Bank["clock"] {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    elapsedMs: () => nowMs,
    schedule: () => () => undefined,
    advance(byMs) {
      nowMs += byMs;
    },
  };
}

/** Bytes of a small generator (Mulberry32): every run of the tests draws the same identifiers. */
function randomBytes(seed: number): (bytes: Uint8Array) => void {
  let state = seed;
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      bytes[at] = (mixed ^ (mixed >>> 14)) & 0xff;
    }
  };
}
