import { createHash } from "node:crypto";
import { timeBounds } from "../contract/index.ts";
import type { AuthIdentities } from "../auth/port.ts";
import type { Caller } from "../auth/auth-services.ts";
import {
  DuplicateRecordError,
  type AnswerRecord,
  type Clock,
  type Sealer,
  type Writes,
} from "../store/ports/index.ts";
import { answerByHash, answersBefore, answers } from "../store/tables/index.ts";
import type { ReadContext, WriteContext } from "./handler-context.ts";
import type { Repetition, RepetitionKey, Repetitions, Store } from "./options.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

export interface EngineStoreOptions {
  readonly unit: UnitOfWork;
  readonly clock: Clock;
  readonly sealer: Sealer;
  /** Who calls, in the words of the engine. */
  callerOf(auth: AuthIdentities): Caller;
}

/** The engine's store for an interface: repetitions are known to all processes on the store, also after a restart. */
export function engineStore({
  unit,
  clock,
  sealer,
  callerOf,
}: EngineStoreOptions): Store<ReadContext, WriteContext> {
  return {
    read: (run, { auth, method, signal }) =>
      unit.read({ caller: callerOf(auth), operation: method.name, signal }, run),
    write: (run, { auth, method, signal }) =>
      unit.write({ caller: callerOf(auth), operation: method.name, signal }, run),
    repetitions: repetitionsIn(createKeptAnswers(clock, sealer), callerOf),
  };
}

function repetitionsIn(
  kept: KeptAnswers,
  callerOf: EngineStoreOptions["callerOf"],
): Repetitions<WriteContext> {
  return {
    ownerOf: (auth) => callerOf(auth).userName,
    async find({ store }, key) {
      return kept.find(store, hashOf(key));
    },
    async keep({ store, caller: { institutionId } }, key, repetition) {
      try {
        await kept.keep(store, { institutionId, requestHash: hashOf(key) }, repetition);
        return true;
      } catch (error) {
        if (error instanceof DuplicateRecordError) return false;
        throw error;
      }
    },
  };
}

function hashOf({ interfaceName, owner, key }: RepetitionKey): string {
  const parts = JSON.stringify(["idempotency-key", interfaceName, owner, key]);
  return createHash("sha256").update(parts).digest("hex");
}

const rememberedMs = 24 * 60 * 60 * 1000;
const prunedEveryMs = 10 * 60 * 1000;
/** So that no call waits long for it, each call removes few until none are left. */
const prunedAtOnce = 50;

/** Results of calls, stored in the transaction that made them (D-24). */
export interface KeptAnswers {
  /** The result of the same request inside 24 h. */
  find(tx: Writes, requestHash: string): Promise<Repetition | undefined>;
  keep(tx: Writes, request: IdentifiedRequest, repetition: Repetition): Promise<void>;
}

export type IdentifiedRequest = Pick<AnswerRecord, "requestHash" | "institutionId">;

/**
 * Stored results are sealed at rest: a result may hold a secret that is shown once. They are kept for 24 hours also where
 * the clock is set meanwhile, which would have a request that is repeated carried out twice.
 */
export function createKeptAnswers(clock: Clock, sealer: Sealer): KeptAnswers {
  const bounds = timeBounds(clock, rememberedMs);
  let prunedAtMs = 0;

  return {
    async find(tx, requestHash) {
      const record = await tx.one(answerByHash, requestHash);
      if (record === undefined) return undefined;
      const oldestMs = bounds().earliestMs - rememberedMs;
      if (record.createdAt > oldestMs) return opened(sealer, record.resultJson);
      await tx.remove(answerByHash, requestHash);
      return undefined;
    },
    async keep(tx, request, { resultText, ...rest }) {
      const { earliestMs, latestMs } = bounds();
      if (Math.abs(earliestMs - prunedAtMs) >= prunedEveryMs) {
        const removed = await tx.take(answersBefore, earliestMs - rememberedMs + 1, prunedAtOnce);
        if (removed.length < prunedAtOnce) prunedAtMs = earliestMs;
      }
      const resultJson = JSON.stringify({ sealed: sealer.seal(resultText), ...rest });
      await tx.insert(answers, { ...request, resultJson, createdAt: latestMs });
    },
  };
}

function opened(sealer: Sealer, resultJson: string): Repetition {
  const { sealed, ...rest }: Omit<Repetition, "resultText"> & { readonly sealed: string } =
    JSON.parse(resultJson);
  return { resultText: sealer.open(sealed), ...rest };
}
