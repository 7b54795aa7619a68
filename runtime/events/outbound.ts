import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock, Sealer, SubscriptionRecord } from "../ports/index.ts";
import { notificationBody } from "./notification.ts";
import type { Parcel } from "./relay.ts";
import type { AttemptOutcome, Sender } from "./sender.ts";
import type { ServiceKeys } from "./service-keys.ts";
import { readSecret, signAside, signWebhook } from "./webhook-signature.ts";

/** Makes a delivery into a signed request and sends it. */
export interface Outbound {
  /** Scheme, host and port that it goes to. */
  originOf(parcel: Parcel): string;
  send(parcel: Parcel): Promise<AttemptOutcome>;
  /** Ends what is in flight, as `shutdown`. */
  cancelAll(): void;
}

export interface OutboundOptions {
  readonly sender: Sender;
  readonly keys: ServiceKeys;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly userAgent: string;
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
  const { sender, keys, sealer, clock, userAgent } = options;
  const targets = new LRUCache<string, Target>({ max: rememberedMax });
  const secrets = new LRUCache<string, KeyObject>({ max: rememberedMax });
  /** Of the payload, by event: subscribers of one event share it. */
  const signatures = new LRUCache<string, Promise<Buffer>>({ max: rememberedMax });

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

  return {
    originOf: ({ subscription }) => targetOf(subscription).origin,
    cancelAll: () => sender.cancelAll(),
    async send({ event, delivery, subscription }) {
      const target = targetOf(subscription);
      const nowMs = clock.now();
      if (target.isPlain && !options.httpCallbacks) {
        const detail = "plain http is for the sandbox profile only";
        return {
          startedAt: nowMs,
          durationMs: 0,
          failure: "refused-address",
          detail,
          responseTruncated: false,
        };
      }
      const { payloadKey, payloadKeyId, webhookKey } = await keys.signing();
      const signed = `${payloadKeyId} ${event.id}`;
      const signature =
        signatures.get(signed) ?? signAside("sha256", Buffer.from(event.payloadJson), payloadKey);
      signatures.set(signed, signature);
      const body = notificationBody(event, delivery, (await signature).toString("base64"));
      const webhook = await signWebhook(delivery.id, nowMs, body, {
        secrets: secretsOf(subscription, nowMs),
        privateKey: webhookKey,
      });
      const headers = { "content-type": "application/json", "user-agent": userAgent, ...webhook.headers };
      return sender.send({ ...target, headers, body: webhook.body });
    },
  };
}
