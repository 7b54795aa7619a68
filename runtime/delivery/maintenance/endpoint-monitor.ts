import { omitUndefined } from "../../contract/index.ts";
import type {
  Clock,
  EndpointHealthRecord,
  IdSource,
  MailDraft,
  MailMessage,
  Sealer,
  Store,
  StoreTransaction,
  SubscriptionRecord,
} from "../../ports/index.ts";
import { auditedBySystem } from "../../audit/index.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { pruneDeliveries } from "./retention.ts";
import { disabledAfterMs } from "../model/retry-schedule.ts";

const everyMs = 60_000;
const reviewedAtOnce = 100;

export interface EndpointMonitorOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sealer: Sealer;
  readonly retentionDays: number;
  renderMail(draft: MailDraft): MailMessage | Promise<MailMessage>;
  /** A transaction added mails to their outbox. */
  onMail(): void;
  /** A subscription was disabled: no delivery has arrived for 120 hours. */
  onDisabled(subscriptionId: string): void;
  onFailure(error: unknown): void;
}

/** Every minute: mails owners of failing endpoints, disables their subscriptions, removes old deliveries. */
export interface EndpointMonitor {
  /** Mails the owner of a subscription whose endpoint answered 410. */
  notifyGone(institutionId: string, subscriptionId: string): void;
  close(): Promise<void>;
}

export function startEndpointMonitor(options: EndpointMonitorOptions): EndpointMonitor {
  const { store, clock } = options;
  let isClosed = false;
  let cancel: (() => void) | undefined;
  let working = work();

  async function work(): Promise<void> {
    await attempt(() => reviewFailing(options));
    await attempt(() => pruneDeliveries(options, () => isClosed));
    if (isClosed) return;
    cancel = clock.schedule(everyMs, () => {
      working = work();
    });
  }
  async function attempt(work: () => Promise<void>): Promise<void> {
    await work().catch(options.onFailure);
  }
  async function tellGone(institutionId: string, subscriptionId: string): Promise<void> {
    await store.transact(async (tx) => {
      const subscription = await tx.subscriptions.find(institutionId, subscriptionId);
      if (subscription !== undefined) await mailOwner(tx, subscription, "endpoint-gone", undefined, options);
    });
    options.onMail();
  }

  return {
    notifyGone(institutionId, subscriptionId) {
      working = Promise.all([working, attempt(() => tellGone(institutionId, subscriptionId))]).then(
        () => undefined,
      );
    },
    async close() {
      isClosed = true;
      cancel?.();
      await working;
    },
  };
}

/** Reviews every endpoint that has been failing for 24 or 120 hours. */
async function reviewFailing(options: EndpointMonitorOptions): Promise<void> {
  const { store, clock } = options;
  const nowMs = clock.now();
  const due = await store.read((view) => view.endpointHealth.dueForReview(nowMs, reviewedAtOnce));
  for (const { subscriptionId } of due) {
    const outcome = await store.transact(async (tx) => {
      const health = await tx.endpointHealth.find(subscriptionId);
      return health === undefined ? "unchanged" : reviewEndpoint(tx, health, nowMs, options);
    });
    if (outcome === "disabled") options.onDisabled(subscriptionId);
    if (outcome !== "unchanged") options.onMail();
  }
}

async function reviewEndpoint(
  tx: StoreTransaction,
  health: EndpointHealthRecord,
  nowMs: number,
  options: EndpointMonitorOptions,
): Promise<"unchanged" | "owner-mailed" | "disabled"> {
  const { reviewAt: _review, ...reviewed } = health;
  const { failingSince } = health;
  const subscription = await tx.subscriptions.find(health.institutionId, health.subscriptionId);
  if (failingSince === undefined || subscription?.enabled !== true) {
    await tx.endpointHealth.put(reviewed);
    return "unchanged";
  }
  if (nowMs - failingSince < disabledAfterMs) {
    await tx.endpointHealth.put({ ...reviewed, reviewAt: failingSince + disabledAfterMs });
    await mailOwner(tx, subscription, "endpoint-failing", health, options);
    return "owner-mailed";
  }
  await tx.endpointHealth.put(reviewed);
  const { institutionId } = subscription;
  const { clock } = options;
  const audited = auditedBySystem(tx, { institutionId, operation: "endpoint-given-up", clock });
  await audited.subscriptions.replace({
    ...subscription,
    enabled: false,
    disabledReason: "FAILING",
    disabledAt: nowMs,
    updatedAt: nowMs,
  });
  await mailOwner(tx, subscription, "endpoint-given-up", health, options);
  return "disabled";
}

/** Adds a mail to the subscription's owner to the outbox; none if the owner no longer exists. */
async function mailOwner(
  tx: StoreTransaction,
  { id, institutionId, name, userName, callbackUrl }: SubscriptionRecord,
  kind: Extract<MailDraft, { kind: `endpoint-${string}` }>["kind"],
  health: EndpointHealthRecord | undefined,
  options: EndpointMonitorOptions,
): Promise<void> {
  const owner = await tx.users.find(userName);
  if (owner === undefined) return;
  const { failingSince, lastFailure } = health ?? {};
  const draft = {
    kind,
    to: owner.email,
    subscriptionName: name,
    subscriptionId: id,
    host: new URL(callbackUrl).host,
    ...omitUndefined({ failingSince, lastFailure }),
  };
  await queueMail(tx, draft, { institutionId, userName }, options);
}
