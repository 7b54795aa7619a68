import { omitUndefined } from "../contract/index.ts";
import type { Caller } from "../auth/auth-services.ts";
import type { Clock, IdSource, Sealer, Tracer, Writes } from "../store/ports/index.ts";
import { outboxEvents, outboxMails } from "../store/tables/index.ts";
import type { EventRecorder, MailDraft, MailQueue, MailRecipient } from "./handler-context.ts";

/** What a transaction leaves behind for others to send. */
export interface LeftInOutbox {
  mails: boolean;
  events: boolean;
  /** Whether deliveries were queued otherwise than by an event. */
  deliveries: boolean;
}

export type OutboxListener = (left: Readonly<LeftInOutbox>) => void;

/** How events are recorded. */
export interface EventOrigin {
  /** The source that they are announced under (section 4.16). */
  readonly source: string;
  /** The revision in whose words they are. */
  readonly revision?: string;
  /** The revision that new subscribers speak. */
  readonly subscribers?: string;
}

/** Records events in the transaction of a handler. */
export function eventRecorder(
  { ids, clock, tracer }: Pick<QueueMailOptions, "ids" | "clock"> & { readonly tracer?: Tracer },
  { institutionId }: Caller,
  store: Writes,
  { source, revision }: EventOrigin,
  left: LeftInOutbox,
): EventRecorder {
  return {
    async record({ name, topics, group, payload, otherPayloads = [] }) {
      left.events = true;
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
      left.deliveries = true;
    },
  };
}

/** Queues mails in the transaction of a handler. */
export function mailQueue(options: QueueMailOptions, store: Writes, left: LeftInOutbox): MailQueue {
  return {
    async queue(mail, recipient) {
      left.mails = true;
      await queueMail(store, mail, recipient, options);
    },
    wake() {
      left.mails = true;
    },
  };
}

export interface QueueMailOptions {
  readonly ids: IdSource;
  readonly clock: Pick<Clock, "now">;
  readonly sealer: Sealer;
}

/** Adds a mail to the outbox, sealed. Its message is written when it is sent: drawing a picture would hold up the store's writer. */
export async function queueMail(
  tx: Writes,
  draft: MailDraft,
  recipient: MailRecipient,
  { ids, clock, sealer }: QueueMailOptions,
): Promise<void> {
  const nowMs = clock.now();
  await tx.insert(outboxMails, {
    id: ids.id(),
    ...recipient,
    kind: draft.kind,
    messageSealed: sealer.seal(JSON.stringify(draft)),
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
  });
}
