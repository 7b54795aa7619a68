import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock, EventRecord, Sealer, SubscriptionRecord } from "../../ports/index.ts";
import type { EventTranslator } from "../../pipeline/index.ts";
import { eventFor } from "../model/event-for.ts";
import type { DeliveryJob } from "../outbox/publish-batch.ts";
import type { AttemptOutcome, WebhookClient } from "../transport/webhook-client.ts";
import type { ServiceKeys, SigningKeys } from "../signing/service-keys.ts";
import type { SigningPool } from "../signing/signing-pool.ts";
import type { SignedNotification } from "../signing/signed-notification.ts";
import { notificationHeaders, readSecret } from "../signing/webhook-signature.ts";

/** Makes a delivery into a signed request and sends it. */
export interface NotificationSender {
  /** Scheme, host and port that it goes to. */
  originOf(job: DeliveryJob): string;
  /** Begins to sign what will be sent soon. */
  prepare(job: DeliveryJob): void;
  send(job: DeliveryJob): Promise<AttemptOutcome>;
  /** Ends what is in flight, as `shutdown`. */
  cancelAll(): void;
}

export interface NotificationSenderOptions {
  readonly sender: WebhookClient;
  readonly keys: ServiceKeys;
  readonly signatures: SigningPool;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly translator?: EventTranslator;
  /** Whether plain http is taken: the sandbox profile only (D-44). */
  readonly httpCallbacks: boolean;
}

const rememberedMax = 2_000;
/** Receivers refuse what is minutes old: what was signed longer ago is signed anew. */
const staleAfterMs = 10_000;

/** A callback address, taken apart. */
interface Target {
  readonly origin: string;
  readonly path: string;
  readonly isPlain: boolean;
}

const ignore = (): void => undefined;

interface Signing {
  /** What the notification says that it was sent at. */
  readonly timeMs: number;
  readonly signed: Promise<SignedNotification>;
}

export function createNotificationSender(options: NotificationSenderOptions): NotificationSender {
  const { sender, keys, sealer, clock, userAgent, translator } = options;
  const { signatures } = options;
  const targets = new LRUCache<string, Target>({ max: rememberedMax });
  const secrets = new LRUCache<string, KeyObject>({ max: rememberedMax });

  const targetOf = ({ callbackUrl }: SubscriptionRecord): Target => {
    const known = targets.get(callbackUrl);
    if (known !== undefined) return known;
    const { origin, pathname, search, protocol } = new URL(callbackUrl);
    const target = { origin, path: pathname + search, isPlain: protocol === "http:" };
    targets.set(callbackUrl, target);
    return target;
  };
  const secretOf = (sealed: string): KeyObject => {
    const known = secrets.get(sealed);
    if (known !== undefined) return known;
    const secret = readSecret(sealer.open(sealed));
    secrets.set(sealed, secret);
    return secret;
  };
  const secretsOf = (subscription: SubscriptionRecord, nowMs: number): readonly KeyObject[] => {
    const { secretSealed, formerSecretSealed, formerSecretUntil = 0 } = subscription;
    const secret = secretOf(secretSealed);
    if (formerSecretSealed === undefined || nowMs >= formerSecretUntil) return [secret];
    return [secret, secretOf(formerSecretSealed)];
  };

  const wordedFor = (event: EventRecord, numbers: readonly string[], revision: string | undefined) => {
    const own = eventFor(event, numbers);
    return translator?.translate(own, revision) ?? own;
  };
  const prepared = new WeakMap<DeliveryJob, Signing>();

  const sign = (
    { event, delivery, subscription }: DeliveryJob,
    timeMs: number,
    { payloadKey, webhookKey }: SigningKeys,
  ): Promise<SignedNotification> =>
    signatures.sign({
      event: wordedFor(event, delivery.accountNumbers, subscription.revision),
      delivery,
      timeMs,
      payloadKey,
      webhookKey,
      secrets: secretsOf(subscription, timeMs),
    });
  const beginSigning = (job: DeliveryJob): Signing => {
    const timeMs = clock.now();
    const chosen = keys.signingNow();
    const signed =
      chosen === undefined
        ? keys.signing().then((signing) => sign(job, timeMs, signing))
        : sign(job, timeMs, chosen);
    return { timeMs, signed };
  };
  const isFresh = ({ timeMs }: Signing): boolean => Math.abs(clock.now() - timeMs) <= staleAfterMs;

  return {
    originOf: ({ subscription }) => targetOf(subscription).origin,
    prepare(job) {
      try {
        const signing = beginSigning(job);
        prepared.set(job, signing);
        // Whoever sends it learns of it.
        signing.signed.catch(ignore);
      } catch {
        // Sending it fails alike.
      }
    },
    cancelAll: () => sender.cancelAll(),
    async send(job) {
      const { origin, path, isPlain } = targetOf(job.subscription);
      if (isPlain && !options.httpCallbacks) {
        return {
          startedAt: clock.now(),
          durationMs: 0,
          failure: "refused-address",
          detail: "plain http is for the sandbox profile only",
          responseTruncated: false,
        };
      }
      const begun = prepared.get(job);
      prepared.delete(job);
      const { timeMs, signed } = begun !== undefined && isFresh(begun) ? begun : beginSigning(job);
      const { body, signature } = await signed;
      const headers = notificationHeaders(userAgent, job.delivery.id, timeMs, signature);
      return sender.send({ origin, path, headers, body });
    },
  };
}
