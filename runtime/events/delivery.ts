import type { EventTranslator } from "../pipeline/event-translator.ts";
import type {
  Clock,
  DeliveryRecord,
  IdSource,
  Mailer,
  Recipients,
  Sealer,
  Store,
  Writes,
  Tracer,
} from "../store/ports/index.ts";
import type { MailRenderers } from "../pipeline/handler-context.ts";
import { startMailJobs, type MailJobs, type MailObserver } from "./mail/mail-jobs.ts";
import { queueMail } from "../pipeline/outbox.ts";
import type { OwnMailDraft } from "./mail/render-mail.ts";
import { releaseMailClaims } from "./mail/stored-mails.ts";
import { createBackpressure } from "./dispatch/backpressure.ts";
import { claimCapacityOf, createSubscriptionQueues } from "./dispatch/subscription-queues.ts";
import { startClaimLoop } from "./dispatch/claim-loop.ts";
import { createDuePoller } from "./dispatch/due-poller.ts";
import { createInFlightLimiter } from "./dispatch/in-flight-limiter.ts";
import { createJobChecks } from "./dispatch/job-checks.ts";
import { leaseOf, createClaimTransactions } from "./model/claim-transactions.ts";
import { createSendLoops } from "./dispatch/send-loop.ts";
import { createNotificationSender, type NotificationSender } from "./dispatch/send-notification.ts";
import type { SubscriptionQueue } from "./dispatch/subscription-queue.ts";
import { startEndpointMonitor, type EndpointMonitor } from "./maintenance/endpoint-monitor.ts";
import type { AttemptOutcome, JobResult } from "./model/attempt-outcome.ts";
import { answerMsMax } from "./model/loops.ts";
import { startCancelling } from "./operations/cancel.ts";
import { createLaneRooms } from "./outbox/lane-rooms.ts";
import { startReleasing } from "./operations/redeliver.ts";
import { startOutboxPoller } from "./outbox/outbox-poller.ts";
import { startOutcomeWriter } from "./outcomes/outcome-writer.ts";
import type { FollowUps } from "./outcomes/record-outcomes.ts";
import { createServiceKeys, type ServiceKeys } from "./signing/service-keys.ts";
import { createSigningPool } from "./signing/signing-pool.ts";
import { createConnectionPools, systemResolver, type Resolver } from "./transport/connection-pools.ts";
import { createWebhookClient } from "./transport/webhook-client.ts";
import { releaseDeliveryClaims } from "./model/stored-deliveries.ts";
import { userByName } from "../store/tables/index.ts";

/** Delivers committed events to their subscribers. */
export interface EventDelivery {
  /** A commit added events to the outbox. */
  pollOutbox(): void;
  /** A commit made deliveries due, or changed a subscription. */
  claimDue(): void;
  /** A commit added mails to their outbox, or made some due. */
  sendMails(): void;
  readonly keys: ServiceKeys;
  /** Ends what is in flight after `graceMs`, and releases what is claimed. */
  close(graceMs: number): Promise<void>;
}

export interface EventDeliveryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sealer: Sealer;
  readonly settings: EventSettings;
  readonly observer: DeliveryObserver;
  /** Absent: mails stay in their outbox. */
  readonly mails?: {
    readonly mailer: Mailer;
    readonly observer: MailObserver;
    readonly renderers: MailRenderers;
  };
  readonly userAgent: string;
  /** Default: an event goes to the subscribers of its topics. */
  readonly recipients?: Recipients;
  /** Translates events to the revision of each subscriber; default: events stay as they were recorded. */
  readonly translator?: EventTranslator;
  /** Whether no other process delivers from this store: claims of a former process are then released at once. */
  readonly isOnlyProcess: boolean;
  /** Absent: deliveries are not traced. */
  readonly tracer?: Tracer;
  /** Default: the name servers of the machine. */
  readonly resolver?: Resolver;
}

/** Receives delivery events. */
export interface DeliveryObserver {
  attempted(delivery: DeliveryRecord, outcome: AttemptOutcome): void;
  deadLetter(delivery: DeliveryRecord): void;
  /** A subscription was disabled: its endpoint answered 410, or failed for 120 hours. */
  disabled(subscriptionId: string, reason: "GONE" | "FAILING"): void;
  /** Reports an internal error; delivery continues. */
  failed(error: unknown): void;
}

export interface EventSettings {
  readonly httpCallbacks: boolean;
  readonly networksAllowed: readonly string[];
  /** None: every port. */
  readonly portsAllowed: readonly number[];
  /** Recent attempts in flight at once. */
  readonly concurrency: number;
  readonly originConcurrency: number;
  readonly timeoutMs: number;
  /** How long deliveries that arrived are kept. */
  readonly retentionDays: number;
  /** Deliveries of one user that may wait to arrive. */
  readonly waitingPerUserMax: number;
  /** PEM. */
  readonly trustedCertificates?: string;
}

/**
 * Starts delivery: three loops (outbox, claim, record) and one send loop for each subscription with jobs. The loops
 * meet at queues only. Mails are a second kind of jobs: found, claimed, retried and stored by the same parts.
 *
 * 1. The outbox poller takes events from the outbox, resolves their recipients, numbers them and inserts deliveries;
 *    those with free capacity are claimed in the same transaction and queued.
 * 2. The claim loop refills queues below their low-water mark with deliveries that are due: retries, and what had no
 *    capacity before. The due poller, the record loop and operators mark subscriptions as due.
 * 3. A send loop takes a permit for each job, checks that its subscription is still what it was, signs and posts it,
 *    and adjusts the window of its endpoint.
 * 4. The outcome writer stores the results. What follows from them, such as retries, goes to step 2.
 */
// oxlint-disable-next-line max-lines-per-function -- all loops of delivery are put together here
export async function startEventDelivery(options: EventDeliveryOptions): Promise<EventDelivery> {
  const { store, clock, settings, observer } = options;
  const onFailure = observer.failed;
  const keys = createServiceKeys(options);
  await keys.signing();
  if (options.isOnlyProcess) await releaseClaims(store, clock);
  const sending = startSending(options, keys);
  const sendMails = (): void => mails?.wake();
  const monitor = startMonitor(options, sendMails);

  const lease = leaseOf(options.ids.id(), settings.timeoutMs);
  const backpressure = createBackpressure(clock);
  const onActive = (queue: SubscriptionQueue): void => senders.start(queue);
  const queues = createSubscriptionQueues({ ...options, backpressure, onActive });
  const onPoll = (): void => senders.checkQueued();
  const duePoller = createDuePoller({ store, clock, lease, queues, onPoll, onFailure });
  const onRecorded = (results: readonly JobResult[], followUps: FollowUps): void => {
    queues.recorded(
      results.filter((result) => result.kind !== "mail"),
      followUps.pauses,
    );
    for (const result of results) if (result.kind === "mail") mails?.recorded(result.mail.id);
    duePoller.wakeBy(followUps.nextDueAt);
    queues.markDue(followUps.due);
    reportFollowUps(followUps, observer);
    if (followUps.gone.length > 0) sendMails();
  };
  const writer = startOutcomeWriter({ ...options, onRecorded, onFailure });
  const mails: MailJobs | undefined =
    options.mails &&
    startMailJobs({ ...options, ...options.mails, claimedBy: lease.claimedBy, results: writer });
  const senders = createSendLoops({
    ...settings,
    clock,
    lease,
    backpressure,
    checks: createJobChecks({ store, clock, onFailure }),
    sender: sending.sender,
    limiter: createInFlightLimiter(clock, settings),
    results: writer,
    refill: queues.refill,
    attempted: observer.attempted,
    onFailure,
  });
  const transactions = createClaimTransactions(store, { clock, answerMsMax: 1_000 });
  const claims = startClaimLoop({ transactions, clock, lease, queues, duePoller, onFailure });
  const outbox = startOutboxPoller({
    ...options,
    transactions: createClaimTransactions(store, { clock, answerMsMax }),
    claimCapacity: () => claimCapacityOf(queues, clock, lease),
    rooms: createLaneRooms({
      ...settings,
      clock,
      mailUser: (tx, userName) => mailUser(tx, userName, options),
    }),
    queues,
    belowLimit: backpressure.belowLimit,
    onFailure,
  });
  const cancelling = startCancelling({ store, clock, onDue: queues.markDue, onFailure });
  const releasing = startReleasing({ store, clock, onDue: queues.markDue, onFailure });
  duePoller.wake();
  sendMails();

  return {
    pollOutbox: outbox.wake,
    claimDue() {
      for (const loop of [duePoller, cancelling, releasing]) loop.wake();
    },
    sendMails,
    keys,
    async close(graceMs) {
      for (const loop of [outbox, duePoller, claims, cancelling, releasing]) await loop.close();
      await Promise.all([senders.close(graceMs), mails?.close(graceMs)]);
      for (const part of [writer, monitor, sending]) await part.close();
    },
  };
}

/** Tells a user that events wait, in the transaction that finds it. */
async function mailUser(tx: Writes, userName: string, options: EventDeliveryOptions): Promise<void> {
  const user = await tx.one(userByName, userName);
  if (user === undefined) return;
  const waiting = options.settings.waitingPerUserMax;
  const { institutionId, email } = user;
  const draft: OwnMailDraft = { kind: "events-waiting", to: email, waiting };
  await queueMail(tx, draft, { institutionId, userName }, options);
}

/** Makes due what a former process had claimed, notifications and mails. */
async function releaseClaims(store: Store, clock: Clock): Promise<void> {
  await store.write(async (tx) => {
    await releaseDeliveryClaims(tx, clock.now());
    await releaseMailClaims(tx, clock.now());
  });
}

/** Reports dead letters, and subscriptions whose endpoint answered 410. */
function reportFollowUps({ deadLetters, gone }: FollowUps, observer: DeliveryObserver): void {
  for (const delivery of deadLetters) observer.deadLetter(delivery);
  for (const { subscriptionId } of gone) observer.disabled(subscriptionId, "GONE");
}

interface Sending {
  readonly sender: NotificationSender;
  close(): Promise<void>;
}

const sweepEveryMs = 30_000;

/** Signs on a worker and posts through pooled connections. */
function startSending(options: EventDeliveryOptions, keys: ServiceKeys): Sending {
  const { clock, settings } = options;
  const { timeoutMs } = settings;
  const pools = createConnectionPools(clock, {
    ...settings,
    resolver: options.resolver ?? systemResolver(),
    connectTimeoutMs: Math.min(timeoutMs, 10_000),
  });
  const client = createWebhookClient({ pools, clock, timeoutMs });
  const signingPool = createSigningPool();
  let cancelSweep = clock.schedule(sweepEveryMs, sweep);

  function sweep(): void {
    pools.sweep();
    cancelSweep = clock.schedule(sweepEveryMs, sweep);
  }

  return {
    sender: createNotificationSender({ ...options, ...settings, client, keys, signingPool }),
    async close() {
      cancelSweep();
      await pools.close();
      await signingPool.close();
    },
  };
}

function startMonitor(options: EventDeliveryOptions, onMail: () => void): EndpointMonitor {
  const { settings, observer } = options;
  return startEndpointMonitor({
    ...options,
    ...settings,
    onMail,
    onDisabled: (subscriptionId) => observer.disabled(subscriptionId, "FAILING"),
    onFailure: observer.failed,
  });
}
