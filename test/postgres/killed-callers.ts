import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { rawCaller, type RawAnswer, type RawCall } from "../e2e/raw-caller.ts";
import type { KilledService } from "./killed-service.ts";

/** A request and what was answered. */
export interface Acknowledged {
  readonly kind: "account" | "transaction";
  /** Name of the account, reference of the transaction. */
  readonly key: string;
  readonly id: string;
  readonly payload: object;
  // oxlint-disable-next-line typescript/no-explicit-any -- results of two methods
  readonly result: any;
}

/** What callers saw. */
export interface Seen {
  readonly acknowledged: Acknowledged[];
  /** Requests without an answer: connections refused, reset, or silent for `timeoutMs`. */
  unanswered: number;
  unavailable: number;
  /** Acknowledged requests that were sent again, to any process. */
  repeated: number;
  readonly faults: string[];
}

/** A call to one of the processes. */
export type CallAny = (
  kind: Acknowledged["kind"] | "read",
  method: string,
  payload: object,
  id?: string,
) => Promise<RawAnswer>;

const timeoutMs = 8_000;
const repeatShare = 0.2;

/** Calls any process; `random` says which. */
export function callAny(service: KilledService, random: () => number): CallAny {
  const { access } = service;
  const ledger = service.addresses.map(({ baseUrl }) => rawCaller(baseUrl, access, timeoutMs));
  const operator = service.addresses.map(({ operatorUrl }) =>
    rawCaller(operatorUrl, access.operator, timeoutMs),
  );
  return (kind, method, payload, id) => {
    const calls: readonly RawCall[] = kind === "transaction" ? operator : ledger;
    const call = calls[Math.floor(random() * calls.length)];
    if (call === undefined) throw new Error("there is no process");
    return call(method, payload, id);
  };
}

/**
 * Adds accounts and records transactions between some of them. A request is repeated with the same id until it is
 * answered. Some answered requests are repeated once more and must get the same answer.
 */
export async function keepCalling(
  caller: number,
  call: CallAny,
  make: (key: string) => Pick<Acknowledged, "kind" | "payload">,
  seen: Seen,
  over: AbortSignal,
  random: () => number,
): Promise<void> {
  for (let count = 0; !over.aborted; count += 1) {
    const key = `Killed ${caller}-${count}`;
    const { kind, payload } = make(key);
    const id = `${kind} ${key}`;
    const result = await untilAnswered(call, kind, payload, id, seen);
    if (result === undefined) continue;
    seen.acknowledged.push({ kind, key, id, payload, result });
    if (random() >= repeatShare) continue;
    const before = seen.acknowledged[Math.floor(random() * seen.acknowledged.length)];
    if (before !== undefined) await repeat(call, before, seen);
  }
}

/** Sends an acknowledged request again: the answer has to be the first one. */
export async function repeat(call: CallAny, before: Acknowledged, seen: Seen): Promise<void> {
  const again = await untilAnswered(call, before.kind, before.payload, before.id, seen);
  seen.repeated += 1;
  if (!isDeepStrictEqual(again, before.result))
    seen.faults.push(
      `${before.id}: repeated, ${JSON.stringify(again)} instead of ${JSON.stringify(before.result)}`,
    );
}

/** The result; nothing where it was refused with anything but UNAVAILABLE, which is a fault. */
async function untilAnswered(
  call: CallAny,
  kind: Acknowledged["kind"],
  payload: object,
  id: string,
  seen: Seen,
): Promise<unknown> {
  const method = kind === "account" ? "CustomerService.AddAccount" : "RecordTransaction";
  for (;;) {
    const answer = await call(kind, method, payload, id).catch(() => undefined);
    if (answer === undefined) seen.unanswered += 1;
    else if (answer.code === undefined) return answer.json.result;
    else {
      const { status, code, retryAfter } = answer;
      if (status !== 503 || code !== "UNAVAILABLE" || !/^\d+$/.test(String(retryAfter))) {
        seen.faults.push(`${id}: ${status} ${JSON.stringify(answer.json)}, Retry-After ${retryAfter}`);
        return undefined;
      }
      seen.unavailable += 1;
    }
    await sleep(50);
  }
}
