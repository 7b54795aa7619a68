import { createHash } from "node:crypto";
import { omitUndefined, RpcError } from "../contract/index.ts";
import { timeBounds } from "../contract/times.ts";
import type { AuthIdentities } from "../auth/port.ts";
import {
  DuplicateRecordError,
  type AnswerRecord,
  type Clock,
  type Sealer,
  type Writes,
  type AuditTrail,
  type IdSource,
  type Reads,
  type Store as StorePort,
  type Tracer,
} from "../store/ports/index.ts";
import { answerByHash, answersBefore, answers } from "../store/tables/index.ts";
import type { KeyUses, ReadContext, WriteContext, Policy } from "./handler-context.ts";
import type { Repetition, RepetitionKey, Repetitions, Store } from "../service/options.ts";
import type { EventTranslator } from "./event-translator.ts";
import { auditedStore, appendAudit } from "../store/audit/index.ts";
import {
  eventRecorder,
  mailQueue,
  type EventOrigin,
  type LeftInOutbox,
  type OutboxListener,
} from "./outbox.ts";
import type { Caller, Callers } from "../auth/auth-services.ts";

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

/** Results of calls, stored in the transaction that made them. */
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

export interface PipelinePorts {
  readonly store: StorePort;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sealer: Sealer;
  /** What an application's handlers find in their context beside the engine's parts. */
  readonly context?: object;
  readonly policy: Policy;
  /** Absent: events are sent as they were recorded. */
  readonly eventTranslator?: EventTranslator;
  /** Absent: calls are not traced. */
  readonly tracer?: Tracer;
}

/** A call as its unit of work needs it. */
export interface CallAtWork {
  readonly caller: Caller;
  /** Name of the method. */
  readonly operation: string;
  readonly signal: AbortSignal;
}

/** Runs handlers over the engine's store: each over one view, or in one transaction with all that it asks for beside. */
export interface UnitOfWork {
  read<Result>(call: CallAtWork, run: (context: ReadContext) => Promise<Result>): Promise<Result>;
  /**
   * Commits what `run` has written, with its events and mails. Where it throws, nothing is: but for an `RpcError` after
   * `commitOnFailure`. A store may run it again after a conflict.
   */
  write<Result>(
    call: CallAtWork,
    run: (context: WriteContext, tx: Writes) => Promise<Result>,
  ): Promise<Result>;
}

export interface UnitOfWorkOptions {
  readonly ports: PipelinePorts;
  readonly callers: Callers & KeyUses;
  readonly eventOrigin: EventOrigin;
  readonly onOutbox: OutboxListener | undefined;
}

type Committed<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "refused"; readonly error: RpcError };

export function createUnitOfWork(options: UnitOfWorkOptions): UnitOfWork {
  const { callers, eventOrigin } = options;
  const ports: Ports = { ...options.ports, keyUses: callers };
  return {
    read: (call, run) => ports.store.read((view) => run(readContext(ports, call, view))),
    async write<Result>(
      call: CallAtWork,
      run: (context: WriteContext, tx: Writes) => Promise<Result>,
    ): Promise<Result> {
      let after = nothingAfterCommit();
      const committed = await ports.store.write(
        async (tx): Promise<Committed<Result>> => {
          after = nothingAfterCommit();
          try {
            const result = await run(writeContext(ports, call, tx, eventOrigin, after), tx);
            return { kind: "done", result };
          } catch (error) {
            if (after.commitOnFailure && error instanceof RpcError) return { kind: "refused", error };
            throw error;
          }
        },
        { caller: call.caller.userName },
      );
      followUp(after, options);
      if (committed.kind === "refused") throw committed.error;
      return committed.result;
    },
  };
}

/** Does what a handler asked for beside its writes. */
function followUp(after: AfterCommit, { callers, onOutbox }: UnitOfWorkOptions): void {
  for (const userName of after.invalidated) callers.invalidate(userName);
  const { mails, events, deliveries } = after;
  if (mails || events || deliveries) onOutbox?.({ mails, events, deliveries });
}

/** The ports of a pipeline, and when keys were used. */
type Ports = PipelinePorts & Pick<ReadContext, "keyUses">;

/** The context of a `read` handler. */
function readContext(ports: Ports, { caller, signal }: CallAtWork, store: Reads): ReadContext {
  const { context, clock, policy, sealer, keyUses, eventTranslator } = ports;
  const own = { caller, signal, clock, policy, sealer, keyUses, eventTranslator, store };
  return { ...context, ...own };
}

/** Work that a handler asked for beside its writes, done once they are committed. */
interface AfterCommit extends LeftInOutbox {
  readonly invalidated: Set<string>;
  commitOnFailure: boolean;
}

function nothingAfterCommit(): AfterCommit {
  return {
    invalidated: new Set(),
    commitOnFailure: false,
    mails: false,
    events: false,
    deliveries: false,
  };
}

/** The context of a `set` or `create` handler. `after` collects work to do once it is committed. */
function writeContext(
  ports: Ports,
  { caller, operation, signal }: CallAtWork,
  store: Writes,
  eventOrigin: EventOrigin,
  after: AfterCommit,
): WriteContext {
  const { context, clock, policy, ids, sealer, keyUses } = ports;
  const audit = auditTrail(ports, caller, store, operation);
  return {
    ...context,
    caller,
    signal,
    clock,
    policy,
    ids,
    sealer,
    keyUses,
    store: auditedStore(store, audit),
    ...omitUndefined({ subscribersRevision: eventOrigin.subscribers }),
    events: eventRecorder(ports, caller, store, eventOrigin, after),
    mail: mailQueue(ports, store, after),
    audit,
    invalidateCaller: (userName) => {
      after.invalidated.add(userName);
    },
    commitOnFailure: () => {
      after.commitOnFailure = true;
    },
  };
}

/** Who calls, with which key, what and when: the same for all entries of a call. */
function auditTrail(
  { clock }: PipelinePorts,
  { institutionId, userName, keyId }: Caller,
  store: Writes,
  operation: string,
): AuditTrail {
  return {
    record: (change) =>
      appendAudit(store, {
        ...change,
        institutionId,
        userName,
        ...omitUndefined({ keyId }),
        operation,
        changedAt: clock.now(),
      }),
  };
}
