import type { Logger } from "pino";
import { omitUndefined } from "../contract/index.ts";
import { ageOf, readWholeBacklog, startEventDelivery, type EventDelivery } from "../events/index.ts";
import { createMetrics, type Metrics, type ShownBacklog } from "../operations/http/index.ts";
import type { Drained } from "../transport/http/index.ts";
import { timestampText } from "../contract/times.ts";
import { ownMailsOnly, type MailObserver } from "../events/mail/index.ts";
import type { Clock, IdSource, Mailer, OutboxMailRecord, Sealer, Store } from "../store/ports/index.ts";
import type { EventTranslator } from "../pipeline/event-translator.ts";
import { recordRoots, rootText } from "../store/index.ts";
import type { Tracing } from "../operations/tracing/index.ts";
import { serviceNames } from "../operations/config/index.ts";
import { eventSettingsOf, isLoggedByStore, isShared, mailerOf } from "./from-config.ts";
import { openPorts, type PortsOptions } from "./ports.ts";

export interface Listening {
  /** `http://127.0.0.1:8080`, by the name of the interface. */
  readonly urls: ReadonlyMap<string, string>;
  /** Answers the requests that have arrived, stops mail, closes the store. */
  close(): Promise<Drained>;
}

/** The parts of a composed service that listening needs. */
export interface Composed extends PortsOptions {
  /** Ends what the service holds: callers, threads, the store and traces. */
  close(): Promise<void>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sealer: Sealer;
  readonly eventTranslator: EventTranslator | undefined;
  readonly wake: Wake;
  readonly tracing: Tracing | undefined;
}

/** The loops that a commit wakes, once the service listens. */
export interface Wake {
  delivery?: EventDelivery;
}

/** Opens the ports, then starts delivering events, sending mail and keeping audit roots. */
export async function listen(composed: Composed): Promise<Listening> {
  const { config, store, clock, ids, logger, wake } = composed;
  const { shutdownGraceMs } = config.http;
  const metrics = createMetrics(serviceNames(composed.application).metrics);
  metrics.showBacklog(() => shownBacklog(store, clock));
  metrics.showStore(() => store.health());
  const mailer = mailerOf(config, { clock, ids });
  const events = await startDelivery(composed, metrics, mailer);
  const opened = await openPorts(composed, metrics, events);
  wake.delivery = events;
  events.pollOutbox();
  const roots = recordRoots({
    store,
    clock,
    intervalMs: config.audit.rootMinutes * 60_000,
    onRoot: (root) => logger.info({ root: rootText(root) }, "root of the audit entries: keep it elsewhere"),
    onFailure: (error) => {
      if (!isLoggedByStore(error)) logger.error({ err: error }, "no root of the audit entries was kept");
    },
  });
  return {
    urls: new Map([...opened].map(([name, { url }]) => [name, url])),
    async close() {
      const drained = await Promise.all([...opened.values()].map((port) => port.close(shutdownGraceMs)));
      await events.close(shutdownGraceMs);
      await mailer.close();
      await roots.close();
      await composed.close();
      return {
        answered: drained.reduce((sum, { answered }) => sum + answered, 0),
        cut: drained.reduce((sum, { cut }) => sum + cut, 0),
      };
    },
  };
}

async function shownBacklog(store: Store, clock: Clock): Promise<ShownBacklog> {
  const { events, laneEvents, usersAtLimit, PENDING, WAITING, HELD, DEAD, mails, failedMails } =
    await readWholeBacklog(store);
  return {
    events: events.count,
    laneEvents: laneEvents.count,
    usersAtLimit: usersAtLimit.count,
    deliveries: {
      PENDING: PENDING.count,
      WAITING: WAITING.count,
      HELD: HELD.count,
      DEAD: DEAD.count,
    },
    mails: { PENDING: mails.count, FAILED: failedMails.count },
    outboxLagMs: ageOf(events, clock),
    oldestPendingMs: ageOf(PENDING, clock),
    oldestMailMs: ageOf(mails, clock),
  };
}

/** Which mail, and to whom: no address, no text. */
function mailFields({ id, kind, institutionId, userName, recipientId, attempts }: OutboxMailRecord): object {
  return {
    mailId: id,
    kind,
    ...omitUndefined({ institutionId, userName, recipientId }),
    attempt: attempts + 1,
  };
}

function mailObserver(logger: Logger, metrics: Metrics): MailObserver {
  return {
    sent: (mail) => {
      metrics.attempted("mail", "sent");
      logger.info(mailFields(mail), "mail sent");
    },
    failed: (mail, { failure, detail, cause }, { dueAt }) => {
      metrics.attempted("mail", failure);
      const fields = { ...mailFields(mail), failure, detail, cause };
      if (dueAt === undefined) logger.error(fields, "mail was not accepted: it is kept as FAILED");
      else logger.warn({ ...fields, nextAttempt: timestampText(dueAt) }, "mail was not accepted");
    },
    unreachable: (told, pausedUntil) => {
      metrics.attempted("mail", "unreachable");
      logger.warn({ ...told, nextAttempt: timestampText(pausedUntil) }, "the mail server cannot be reached");
    },
    internal: (error) => {
      if (!isLoggedByStore(error)) logger.error({ err: error }, "sending mails failed unexpectedly");
    },
  };
}

function startDelivery(
  { application, config, store, clock, ids, logger, sealer, eventTranslator, tracing }: Composed,
  metrics: Metrics,
  mailer: Mailer,
): Promise<EventDelivery> {
  return startEventDelivery({
    ...omitUndefined({
      tracer: tracing?.tracer,
      recipients: application.recipients,
      translator: eventTranslator,
    }),
    store,
    clock,
    ids,
    sealer,
    settings: eventSettingsOf(config),
    userAgent,
    isOnlyProcess: !isShared(config),
    mails: {
      mailer,
      observer: mailObserver(logger, metrics),
      renderers: application.mails ?? ownMailsOnly,
    },
    observer: {
      attempted: ({ id, subscriptionId, attempts }, { failure, status, durationMs, detail, cause }) => {
        metrics.attempted("notification", failure ?? "delivered", durationMs / 1000);
        logger.info(
          {
            deliveryId: id,
            subscriptionId,
            attempt: attempts + 1,
            failure,
            status,
            detail,
            cause,
            ms: durationMs,
          },
          failure === undefined ? "event delivered" : "event not delivered",
        );
      },
      deadLetter: ({ id, subscriptionId, eventId }) =>
        logger.warn({ deliveryId: id, subscriptionId, eventId }, "event given up: a dead letter"),
      disabled: (subscriptionId, reason) =>
        logger.warn({ subscriptionId, reason }, "subscription disabled: events do not arrive"),
      failed: (error) => {
        if (!isLoggedByStore(error)) logger.error({ err: error }, "delivering events failed unexpectedly");
      },
    },
  });
}

const userAgent = "ledger-rpc";
