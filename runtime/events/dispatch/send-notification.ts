import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { EventTranslator } from "../../pipeline/event-translator.ts";
import type { Clock, Sealer, SubscriptionTarget, Tracer } from "../../store/ports/index.ts";
import type { AttemptOutcome } from "../model/attempt-outcome.ts";
import type { DeliveryJob } from "../model/queues.ts";
import { eventAsSent, sealedSecretsOf } from "../signing/notification-now.ts";
import type { ServiceKeys, SigningKeys } from "../signing/service-keys.ts";
import { type SignedNotification, notificationHeaders, readSecret } from "../signing/signed-notification.ts";
import type { SigningPool } from "../signing/signing-pool.ts";
import type { WebhookClient } from "../transport/webhook-client.ts";

/** Signs the notification of a job, then posts it. */
export interface NotificationSender {
  /** Scheme, host and port of the job's callback address. */
  originOf(job: DeliveryJob): string;
  /** Signs ahead, for a job that is sent soon. */
  prepare(job: DeliveryJob): void;
  /** Rejects if the notification cannot be signed. */
  send(job: DeliveryJob): Promise<AttemptOutcome>;
  /** Ends what is in flight, and every later job, as `shutdown`. */
  cancelAll(): void;
}

export interface NotificationSenderOptions {
  readonly client: WebhookClient;
  readonly keys: ServiceKeys;
  readonly signingPool: SigningPool;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly translator?: EventTranslator;
  /** Whether plain http is allowed: in the sandbox profile only. */
  readonly httpCallbacks: boolean;
  /** Absent: deliveries are not traced. */
  readonly tracer?: Tracer;
}

const cachedMax = 2_000;
/** Receivers refuse notifications that are minutes old: an older signature is made again. */
const staleAfterMs = 10_000;

/** A parsed callback address. */
interface Target {
  readonly origin: string;
  readonly path: string;
  readonly isPlain: boolean;
}

interface Signing {
  /** The time that the notification states. */
  readonly timeMs: number;
  readonly signed: Promise<SignedNotification>;
}

export function createNotificationSender(options: NotificationSenderOptions): NotificationSender {
  const { client, clock, userAgent, tracer } = options;
  const targetOf = createTargetCache();
  const startSigning = createSigning(options);
  const prepared = new WeakMap<DeliveryJob, Signing>();
  const isFresh = ({ timeMs }: Signing): boolean => Math.abs(clock.now() - timeMs) <= staleAfterMs;

  async function send(job: DeliveryJob, traceParent?: string): Promise<AttemptOutcome> {
    const { origin, path, isPlain } = targetOf(job.subscription);
    if (isPlain && !options.httpCallbacks) return plainRefused(clock.now());
    const ready = prepared.get(job);
    prepared.delete(job);
    const { timeMs, signed } = ready !== undefined && isFresh(ready) ? ready : startSigning(job);
    const { body, signature } = await signed;
    const headers = notificationHeaders(userAgent, job.delivery.id, timeMs, signature);
    if (traceParent !== undefined) headers.push("traceparent", traceParent);
    return client.send({ origin, path, headers, body });
  }

  return {
    originOf: ({ subscription }) => targetOf(subscription).origin,
    prepare(job) {
      try {
        const signing = startSigning(job);
        prepared.set(job, signing);
        // `send` reports the rejection.
        signing.signed.catch(() => undefined);
      } catch {
        // `send` fails alike, and reports it.
      }
    },
    send: (job) => (tracer === undefined ? send(job) : tracedAttempt(tracer, job, send)),
    cancelAll: client.cancelAll,
  };
}

function createTargetCache(): (subscription: SubscriptionTarget) => Target {
  const targets = new LRUCache<string, Target>({ max: cachedMax });
  return ({ callbackUrl }) => {
    const known = targets.get(callbackUrl);
    if (known !== undefined) return known;
    const { origin, pathname, search, protocol } = new URL(callbackUrl);
    const target = { origin, path: pathname + search, isPlain: protocol === "http:" };
    targets.set(callbackUrl, target);
    return target;
  };
}

/** Signs with the service's current keys and the subscription's secrets. */
function createSigning(options: NotificationSenderOptions): (job: DeliveryJob) => Signing {
  const { keys, signingPool, sealer, clock, translator } = options;
  const secrets = new LRUCache<string, KeyObject>({ max: cachedMax });

  const secretOf = (sealed: string): KeyObject => {
    const known = secrets.get(sealed);
    if (known !== undefined) return known;
    const secret = readSecret(sealer.open(sealed));
    secrets.set(sealed, secret);
    return secret;
  };
  const sign = (
    { event, delivery, subscription }: DeliveryJob,
    timeMs: number,
    { payloadKey, webhookKey }: SigningKeys,
  ): Promise<SignedNotification> =>
    signingPool.sign({
      event: eventAsSent(event, delivery, subscription, translator),
      delivery,
      timeMs,
      payloadKey,
      webhookKey,
      secrets: sealedSecretsOf(subscription, timeMs).map(secretOf),
    });

  return (job) => {
    const timeMs = clock.now();
    const current = keys.signingNow();
    const signed =
      current === undefined
        ? keys.signing().then((signingKeys) => sign(job, timeMs, signingKeys))
        : sign(job, timeMs, current);
    return { timeMs, signed };
  };
}

function plainRefused(nowMs: number): AttemptOutcome {
  return {
    startedAt: nowMs,
    durationMs: 0,
    failure: "refused-address",
    detail: "plain http is for the sandbox profile only",
    responseTruncated: false,
  };
}

/**
 * Makes an attempt a span in the trace of the call that caused the event, a later one too, and hands its
 * `traceparent` to `send`. The trace names the host of the address alone: paths may hold a subscriber's secrets.
 */
export function tracedAttempt(
  tracer: Tracer,
  job: DeliveryJob,
  send: (job: DeliveryJob, traceParent: string) => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const { delivery, event, subscription } = job;
  const attributes = {
    "http.request.method": "POST",
    "server.address": new URL(subscription.callbackUrl).hostname,
    "ledger.event": event.name,
    "ledger.delivery.id": delivery.id,
    "ledger.delivery.attempt": delivery.attempts + 1,
    "ledger.subscription.id": subscription.id,
  };
  const traceParent = event.traceParent ?? null;
  return tracer.span({ name: "webhook", kind: "client", traceParent, attributes }, async (span) => {
    const outcome = await send(job, span.traceParent);
    if (outcome.status !== undefined) span.set({ "http.response.status_code": outcome.status });
    if (outcome.failure !== undefined) span.fail(outcome.failure);
    return outcome;
  });
}
