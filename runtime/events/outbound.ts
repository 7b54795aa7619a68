import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock, Sealer, SubscriptionRecord } from "../ports/index.ts";
import type { EventWords } from "../pipeline/index.ts";
import { notificationHead } from "./notification.ts";
import type { Parcel } from "./relay.ts";
import type { AttemptOutcome, Exchange, Sender } from "./sender.ts";
import type { ServiceKeys } from "./service-keys.ts";
import type { Signatures } from "./signatures.ts";
import { readSecret, signedWebhook, webhookPrefix } from "./webhook-signature.ts";

/** Makes a delivery into a signed request and sends it. */
export interface Outbound {
  /** Scheme, host and port that it goes to. */
  originOf(parcel: Parcel): string;
  /** Begins to sign what will be sent soon: at most so long before that its time is not yet stale to the receiver. */
  prepare(parcel: Parcel): void;
  send(parcel: Parcel): Promise<AttemptOutcome>;
  /** Ends what is in flight, as `shutdown`. */
  cancelAll(): void;
}

export interface OutboundOptions {
  readonly sender: Sender;
  readonly keys: ServiceKeys;
  readonly signatures: Signatures;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly words?: EventWords;
  /** Whether plain http is taken: the sandbox profile only (D-44). */
  readonly httpCallbacks: boolean;
}

const rememberedMax = 2_000;

/** A callback address, taken apart. */
interface Target {
  readonly origin: string;
  readonly path: string;
  readonly isPlain: boolean;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { sender, keys, sealer, clock, userAgent, words } = options;
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
    const secret = secrets.get(sealed) ?? readSecret(sealer.open(sealed));
    secrets.set(sealed, secret);
    return secret;
  };
  const secretsOf = (subscription: SubscriptionRecord, nowMs: number): readonly KeyObject[] => {
    const { secretSealed, formerSecretSealed, formerSecretUntil = 0 } = subscription;
    const former = nowMs < formerSecretUntil ? formerSecretSealed : undefined;
    return [secretSealed, ...(former === undefined ? [] : [former])].map(secretOf);
  };

  const prepared = new WeakMap<Parcel, Promise<Exchange>>();

  const signed = async ({ event, delivery, subscription }: Parcel): Promise<Exchange> => {
    const nowMs = clock.now();
    const { payloadKey, payloadKeyId, webhookKey } = await keys.signing();
    const told = words?.tell(event, subscription.revision) ?? event;
    const draft = {
      payloadName: `${payloadKeyId} ${told.revision ?? ""} ${event.id}`,
      prefix: webhookPrefix(delivery.id, nowMs),
      head: notificationHead(told, delivery),
      payloadJson: told.payloadJson,
    };
    const signedDraft = await signatures.sign(draft, { payloadKey, webhookKey });
    const webhook = signedWebhook(delivery.id, nowMs, secretsOf(subscription, nowMs), signedDraft);
    const headers = { "content-type": "application/json", "user-agent": userAgent, ...webhook.headers };
    return { ...targetOf(subscription), headers, body: webhook.body };
  };
  const signedOnce = (parcel: Parcel): Promise<Exchange> => {
    const exchange = prepared.get(parcel) ?? signed(parcel);
    prepared.set(parcel, exchange);
    return exchange;
  };

  return {
    originOf: ({ subscription }) => targetOf(subscription).origin,
    prepare(parcel) {
      // Whoever sends it learns of it.
      signedOnce(parcel).catch(() => undefined);
    },
    cancelAll: () => sender.cancelAll(),
    async send(parcel) {
      if (targetOf(parcel.subscription).isPlain && !options.httpCallbacks) {
        return {
          startedAt: clock.now(),
          durationMs: 0,
          failure: "refused-address",
          detail: "plain http is for the sandbox profile only",
          responseTruncated: false,
        };
      }
      return sender.send(await signedOnce(parcel));
    },
  };
}
