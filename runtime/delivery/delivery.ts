import type { EventTranslator } from "../pipeline/index.ts";
import type { Clock, IdSource, MailDraft, MailMessage, Sealer, Store } from "../ports/index.ts";
import { createCourier, type CourierObserver } from "./dispatch/dispatcher.ts";
import { startEndpointMonitor } from "./maintenance/endpoint-monitor.ts";
import { createConnectionPools } from "./transport/connection-pools.ts";
import { createNotificationSender } from "./dispatch/send-notification.ts";
import { publishedMax, publishBatch } from "./outbox/publish-batch.ts";
import { systemResolver, type Resolver } from "./transport/resolver.ts";
import { createWebhookClient } from "./transport/webhook-client.ts";
import { createServiceKeys, type ServiceKeys } from "./signing/service-keys.ts";
import { createSigningPool } from "./signing/signing-pool.ts";

/** Everything between a committed event and its receivers. */
export interface EventDelivery {
  /** Takes what was committed from the outbox, now. */
  relay(): void;
  /** Looks for deliveries that became due otherwise: an operator asked for them. */
  wake(): void;
  /** Begins nothing more of what was cancelled of a subscription. */
  drop(subscriptionId: string): void;
  readonly keys: ServiceKeys;
  /** Finishes what is in flight and gives back what is claimed. */
  close(graceMs: number): Promise<void>;
}

export interface EventDeliveryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sealer: Sealer;
  readonly settings: EventSettings;
  readonly observer: DeliveryObserver;
  renderMail(draft: MailDraft): MailMessage | Promise<MailMessage>;
  /** Mails were left in their outbox. */
  onMail(): void;
  readonly userAgent: string;
  /** Tells events in the words of their subscribers' revisions; default: in those that they were recorded in. */
  readonly translator?: EventTranslator;
  /** Whether no other process delivers from this store: what a former one had claimed is then due at once. */
  readonly isOnlyProcess: boolean;
  /** Default: the machine's. */
  readonly resolver?: Resolver;
}

export interface DeliveryObserver extends Omit<CourierObserver, "gone"> {
  /** A subscription is no longer enabled: its endpoint is gone, or has been failing for too long. */
  disabled(subscriptionId: string, reason: "GONE" | "FAILING"): void;
}

export interface EventSettings {
  readonly httpCallbacks: boolean;
  readonly networksAllowed: readonly string[];
  /** None: every port. */
  readonly portsAllowed: readonly number[];
  /** Deliveries in flight at once. */
  readonly concurrency: number;
  readonly originConcurrency: number;
  readonly timeoutMs: number;
  /** How long deliveries that arrived are kept. */
  readonly retentionDays: number;
  /** PEM. */
  readonly trustedCertificates?: string;
}

/** An event that no process announced is found at the latest after this. */
const relayEveryMs = 1_000;
const sweepEveryMs = 30_000;

/** Starts delivering. */
export async function startEventDelivery(options: EventDeliveryOptions): Promise<EventDelivery> {
  const { store, clock, ids, sealer, settings, observer } = options;
  const { timeoutMs } = settings;
  const keys = createServiceKeys({ store, sealer, clock });
  await keys.signing();
  if (options.isOnlyProcess) await store.transact((tx) => tx.deliveries.releaseClaims(clock.now()));
  const origins = createConnectionPools(clock, {
    ...settings,
    resolver: options.resolver ?? systemResolver(),
    connectTimeoutMs: Math.min(timeoutMs, 10_000),
  });
  const sender = createWebhookClient({ pools: origins, clock, timeoutMs });
  const signatures = createSigningPool();
  const outbound = createNotificationSender({ ...options, ...settings, sender, keys, signatures });
  const housekeeping = startEndpointMonitor({
    ...options,
    ...settings,
    onDisabled: (subscriptionId) => observer.disabled(subscriptionId, "FAILING"),
    onFailure: observer.failed,
  });
  const gone = (institutionId: string, subscriptionId: string): void => {
    observer.disabled(subscriptionId, "GONE");
    housekeeping.notifyGone(institutionId, subscriptionId);
  };
  const courier = createCourier({
    ...options,
    outbound,
    limits: settings,
    timeoutMs,
    observer: { ...observer, gone },
  });

  let relaying: Promise<void> | undefined;
  let relayAgain = false;
  let isClosed = false;
  let cancelRelay: (() => void) | undefined;
  let cancelSweep: (() => void) | undefined;

  async function relayAll(): Promise<void> {
    relayAgain = false;
    const { events, claimed, waiting } = await publishBatch({
      store,
      clock,
      ids,
      ...(options.translator === undefined ? {} : { translator: options.translator }),
      ...courier,
    });
    courier.take(claimed, waiting);
    if (events < publishedMax) return;
    relayAgain = true;
    await courier.digested();
  }
  function relay(): void {
    relayAgain = true;
    if (relaying !== undefined || isClosed) return;
    cancelRelay?.();
    relaying = relayAll()
      .catch((error: unknown) => {
        relayAgain = false;
        observer.failed(error);
      })
      .finally(() => {
        relaying = undefined;
        if (isClosed) return;
        if (relayAgain) relay();
        else cancelRelay = clock.schedule(relayEveryMs, relay);
      });
  }
  function sweep(): void {
    origins.sweep();
    cancelSweep = clock.schedule(sweepEveryMs, sweep);
  }

  relay();
  courier.wake();
  sweep();
  return {
    relay,
    wake: () => courier.wake(),
    drop: (subscriptionId) => courier.drop(subscriptionId),
    keys,
    async close(graceMs) {
      isClosed = true;
      cancelRelay?.();
      cancelSweep?.();
      await relaying;
      await courier.close(graceMs);
      await housekeeping.close();
      await origins.close();
      await signatures.close();
    },
  };
}
