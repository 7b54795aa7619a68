import { omitUndefined, RpcError, type RpcErrorDetail } from "../../contract/index.ts";
import type {
  AuditTrail,
  Caller,
  EventRecorder,
  MailQueue,
  ReadContext,
  StoreTransaction,
  StoreView,
  WriteContext,
} from "../../ports/index.ts";
import { auditedStore } from "../../audit/index.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import type { PipelinePorts } from "../options.ts";

interface ErrorBuilder {
  error(code: string, detail?: RpcErrorDetail): RpcError;
}

const errorBuilder: ErrorBuilder = { error: (code, detail) => new RpcError(code, detail) };

/** The context of a `read` handler. */
export function readContext(
  ports: PipelinePorts,
  caller: Caller,
  store: StoreView,
): ReadContext & ErrorBuilder {
  const { context, clock, policy, sealer, keyUses, eventTranslator } = ports;
  return { ...context, ...errorBuilder, caller, clock, policy, sealer, keyUses, eventTranslator, store };
}

/** Work that a handler asked for beside its writes, done once they are committed. */
export interface AfterCommit {
  readonly invalidated: Set<string>;
  commitOnFailure: boolean;
  /** Whether it left something in the outboxes. */
  mails: boolean;
  events: boolean;
  /** Whether it queued deliveries. */
  deliveries: boolean;
}

export function nothingAfterCommit(): AfterCommit {
  return {
    invalidated: new Set(),
    commitOnFailure: false,
    mails: false,
    events: false,
    deliveries: false,
  };
}

/** How events are recorded. */
export interface EventOrigin {
  /** The source that they are announced under (section 4.16). */
  readonly source: string;
  /** The revision in whose words they are. */
  readonly revision?: string;
  /** The revision that new subscribers speak. */
  readonly subscribers?: string;
}

/** The context of a `set` or `create` handler. `after` collects work to do once it is committed; `operation` names the method. */
export function writeContext(
  ports: PipelinePorts,
  caller: Caller,
  store: StoreTransaction,
  eventOrigin: EventOrigin,
  after: AfterCommit,
  operation: string,
): WriteContext & ErrorBuilder {
  const { context, clock, policy, ids, sealer, keyUses } = ports;
  const audit = auditTrail(ports, caller, store, operation);
  const audited = auditedStore(store, audit);
  return {
    ...context,
    ...errorBuilder,
    caller,
    clock,
    policy,
    ids,
    sealer,
    keyUses,
    store: eventOrigin.subscribers === undefined ? audited : subscribedIn(eventOrigin.subscribers, audited),
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

/**
 * Notes of each new subscription in which revision it was made: handlers know of none. Over the audited store, so that
 * the entry says so too; the other collections are asked for as late as there.
 */
function subscribedIn(revision: string, store: StoreTransaction): StoreTransaction {
  const subscriptions = (): StoreTransaction["subscriptions"] => ({
    ...store.subscriptions,
    insert: (subscription) => store.subscriptions.insert({ ...subscription, revision }),
  });
  return new Proxy(store, {
    get: (target, name) => (name === "subscriptions" ? subscriptions() : Reflect.get(target, name)),
  });
}

function eventRecorder(
  { ids, clock, tracer }: PipelinePorts,
  { institutionId }: Caller,
  store: StoreTransaction,
  { source, revision }: EventOrigin,
  after: AfterCommit,
): EventRecorder {
  return {
    async record({ name, topics, group, payload, otherPayloads = [] }) {
      after.events = true;
      const traceParent = tracer?.current()?.traceParent;
      await store.outboxEvents.insert(
        omitUndefined({
          id: ids.id(),
          institutionId,
          name,
          source,
          topics,
          group,
          payloadJson: JSON.stringify(payload),
          createdAt: clock.now(),
          revision,
          traceParent,
          otherPayloads:
            otherPayloads.length === 0
              ? undefined
              : otherPayloads.map((other) => ({
                  topic: other.topic,
                  payloadJson: JSON.stringify(other.payload),
                })),
        }),
      );
    },
    wake() {
      after.deliveries = true;
    },
  };
}

/** Who calls, with which key, what and when: the same for all entries of a call. */
function auditTrail(
  { clock }: PipelinePorts,
  { institutionId, userName, keyId }: Caller,
  store: StoreTransaction,
  operation: string,
): AuditTrail {
  return {
    record: (change) =>
      store.audit.append({
        ...change,
        institutionId,
        userName,
        ...omitUndefined({ keyId }),
        operation,
        changedAt: clock.now(),
      }),
  };
}

function mailQueue(ports: PipelinePorts, store: StoreTransaction, after: AfterCommit): MailQueue {
  return {
    async queue(mail, recipient) {
      after.mails = true;
      await queueMail(store, mail, recipient, ports);
    },
    wake() {
      after.mails = true;
    },
  };
}
