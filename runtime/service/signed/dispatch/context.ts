import { omitUndefined, RpcError, type RpcErrorDetail } from "../../../contract/index.ts";
import type { AuditTrail, Writes, Reads } from "../../../store/ports/index.ts";
import type { EventRecorder, MailQueue, ReadContext, WriteContext } from "../../handler-context.ts";
import type { Caller } from "../../../auth/auth-services.ts";
import { auditedStore, appendAudit } from "../../../store/audit/index.ts";
import { queueMail } from "../../../events/mail/queue-mail.ts";
import type { PipelinePorts } from "../options.ts";
import { outboxEvents } from "../../../store/tables/index.ts";

interface ErrorBuilder {
  error(code: string, detail?: RpcErrorDetail): RpcError;
}

const errorBuilder: ErrorBuilder = { error: (code, detail) => new RpcError(code, detail) };

/** The ports of a pipeline, and when keys were used. */
export type DispatchPorts = PipelinePorts & Pick<ReadContext, "keyUses">;

/** The context of a `read` handler. */
export function readContext(ports: DispatchPorts, caller: Caller, store: Reads): ReadContext & ErrorBuilder {
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
  ports: DispatchPorts,
  caller: Caller,
  store: Writes,
  eventOrigin: EventOrigin,
  after: AfterCommit,
  operation: string,
): WriteContext & ErrorBuilder {
  const { context, clock, policy, ids, sealer, keyUses } = ports;
  const audit = auditTrail(ports, caller, store, operation);
  return {
    ...context,
    ...errorBuilder,
    caller,
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

function eventRecorder(
  { ids, clock, tracer }: PipelinePorts,
  { institutionId }: Caller,
  store: Writes,
  { source, revision }: EventOrigin,
  after: AfterCommit,
): EventRecorder {
  return {
    async record({ name, topics, group, payload, otherPayloads = [] }) {
      after.events = true;
      const traceParent = tracer?.current()?.traceParent;
      await store.insert(
        outboxEvents,
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

function mailQueue(ports: PipelinePorts, store: Writes, after: AfterCommit): MailQueue {
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
