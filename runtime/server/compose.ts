import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Config } from "../config/index.ts";
import { idSource, sealer, sealKeyOf, shareAtRisk, systemClock } from "../system/index.ts";
import {
  keySetMaxAgeSeconds,
  readBacklog,
  startEventDelivery,
  type EventDelivery,
  type EventSettings,
} from "../delivery/index.ts";
import {
  addKeySetRoute,
  createMetrics,
  createWorkLimiter,
  serveHttp,
  type Drained,
  type HttpService,
  type Metrics,
} from "../http/index.ts";
import { folderMailer, startMailDispatcher, renderMail, smtpMailer } from "../mail/index.ts";
import { createCallerCache, createNonceRegister } from "../auth/index.ts";
import {
  createEventTranslator,
  createPipeline,
  type OutboxListener,
  type Pipeline,
  type PipelineRules,
} from "../pipeline/index.ts";
import {
  textOfReason,
  UnavailableError,
  type Caller,
  type Clock,
  type IdSource,
  type Mailer,
  type Policy,
  type Sealer,
  type Store,
} from "../ports/index.ts";
import { demoInstitutionId, demoUserName } from "../seed/index.ts";
import { createVerifier } from "../signing/index.ts";
import {
  isSharedStore,
  keepRoots,
  openReader as openStoreReader,
  openStore,
  rootText,
  type HealthListener,
  type OpenStoreOptions,
  type SealerSource,
} from "../storage/index.ts";
import { eventInterface, interfaces as allInterfaces, type InterfaceRow } from "./interfaces.ts";

/** The parts of the service, composed and not yet listening. */
export interface Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** By the name of the interface. */
  readonly pipelines: ReadonlyMap<string, Pipeline>;
  readonly logger: Logger;
  /** Opens a port for each interface and starts delivering events and mail. */
  listen(): Promise<Listening>;
  /** Closes the store. */
  close(): Promise<void>;
}

export interface Listening {
  /** `http://127.0.0.1:8080`, by the name of the interface. */
  readonly urls: ReadonlyMap<string, string>;
  /** Answers the requests that have arrived, stops mail, closes the store. */
  close(): Promise<Drained>;
}

export interface ComposeOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Whether pending migrations are applied; otherwise they are an error. */
  readonly migrate: boolean;
  /** Default: those of `interfaces.ts`. */
  readonly interfaces?: readonly InterfaceRow[];
}

/** Opens the store for reading alone, beside a service that may be writing to it. */
export function openReader({ database }: Config): Promise<Store> {
  return openStoreReader(database.url, { connections: database });
}

/** How the configured store is opened. */
export function storeOptionsOf(config: Config, migrate: boolean): OpenStoreOptions {
  return { migrate, reads: config.reads, connections: config.database, sealer: sealerOf(config) };
}

/** Puts the service together: the one place that knows every adapter. */
export async function compose(options: ComposeOptions): Promise<Service> {
  const { config, logger, migrate, interfaces = allInterfaces } = options;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const clock = systemClock;
  const ids = idSource(clock);
  const isShared = isSharedStore(config.database.url);
  let known: Sealer | undefined;
  const store = await openStore(config.database.url, {
    ...storeOptionsOf(config, migrate),
    onHealth: healthLog(logger),
    sealer: (keys) => (known = sealerOf(config)(keys)),
  });
  if (known === undefined) throw new Error("the store was opened without the seal key");
  const seal = known;
  let wakeMail: (() => void) | undefined;
  let delivery: EventDelivery | undefined;
  const ports = {
    store,
    clock,
    ids,
    sealer: seal,
    riskScorer: shareAtRisk,
    policy: policyOf(config),
    renderMail,
  };
  const shared = {
    ports,
    callers: createCallerCache({ store, ...(isShared && { ttlMs: sharedCallerTtlMs }) }),
    verifier: createVerifier(),
    log: logger,
    eventSource: "ledger",
    eventInterface: eventInterface.descriptor,
    onOutbox,
  };
  function onOutbox({ mails, events, deliveries, cancelled }: Parameters<OutboxListener>[0]): void {
    if (mails) wakeMail?.();
    if (events) delivery?.pollOutbox();
    if (deliveries) delivery?.claimDue();
    for (const subscriptionId of cancelled) delivery?.dropQueued(subscriptionId);
  }
  const rules = rulesOf(config, store);
  const pipelines = new Map(
    interfaces.map(({ descriptor, handlers, revisions, auth, isPublic = false }) => [
      descriptor.name,
      createPipeline({
        ...shared,
        interfaceDescriptor: descriptor,
        handlers,
        revisions,
        realm: descriptor.name,
        auth,
        rules: { ...rules, ...(isPublic && config.flatBodies === "open" && { openFlatBodies: demoCaller }) },
      }),
    ]),
  );

  async function listen(): Promise<Listening> {
    const metrics = createMetrics();
    metrics.showBacklog(() => readBacklog({ store, clock }));
    metrics.showStore(() => store.health());
    const { http, limits, metricsPublic } = config;
    const work = createWorkLimiter(limits);
    const port = { logger, metrics, work, limits, ready: () => store.ping() };
    const events = await startDelivery(metrics);
    const addRoutes = (app: Express): void =>
      addKeySetRoute(app, () => events.keys.keySet(), keySetMaxAgeSeconds);
    const opened = new Map<string, HttpService>();
    try {
      for (const { descriptor, isPublic = false } of interfaces) {
        const { name } = descriptor;
        const [pipeline, endpoint] = [pipelines.get(name), config.endpoints.get(name)];
        if (pipeline === undefined || endpoint === undefined)
          throw new Error(`the ${name} interface has no settings ${name}.host and ${name}.port`);
        const pages = isPublic ? { addRoutes, showMetrics: metricsPublic } : {};
        opened.set(name, await serveHttp({ ...port, ...endpoint, ...pages, pipeline }));
      }
    } catch (error) {
      await Promise.all([...opened.values()].map((service) => service.close(0)));
      await events.close(0);
      throw error;
    }
    delivery = events;
    events.pollOutbox();
    const mailer = mailerOf(config);
    const relay = startMailDispatcher({
      store,
      mailer,
      sealer: seal,
      clock,
      onFailure: ({ error, ...failure }) => {
        if (!isLoggedByStore(error)) logger.error({ ...failure, err: error }, "mail was not accepted");
      },
    });
    wakeMail = relay.wake;
    wakeMail();
    const roots = keepRoots({
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
        const drained = await Promise.all(
          [...opened.values()].map((service) => service.close(http.shutdownGraceMs)),
        );
        await events.close(http.shutdownGraceMs);
        await relay.close();
        await mailer.close();
        await roots.close();
        await store.close();
        return {
          answered: drained.reduce((sum, { answered }) => sum + answered, 0),
          cut: drained.reduce((sum, { cut }) => sum + cut, 0),
        };
      },
    };
  }

  return { store, clock, ids, pipelines, logger, listen, close: () => store.close() };

  function startDelivery(metrics: Metrics): Promise<EventDelivery> {
    return startEventDelivery({
      store,
      clock,
      ids,
      sealer: seal,
      settings: eventSettingsOf(config),
      userAgent,
      translator: createEventTranslator(eventInterface.revisions, eventInterface.descriptor.revision),
      isOnlyProcess: !isShared,
      renderMail,
      onMail: () => wakeMail?.(),
      observer: {
        attempted: ({ id, subscriptionId, attempts }, { failure, status, durationMs }) => {
          metrics.attempted(failure ?? "delivered", durationMs / 1000);
          logger.info(
            { deliveryId: id, subscriptionId, attempt: attempts + 1, failure, status, ms: durationMs },
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

  function mailerOf({ mail, dataDir }: Config): Mailer {
    const { from } = mail;
    if (mail.transport === "folder") return folderMailer({ folder: join(dataDir, "mail"), from, clock, ids });
    const { host, port, security, login } = mail;
    return smtpMailer({ host, port, security, from, ...login });
  }
}

/** With the resolution of the cache as much again: another process sees a revoked key refused within a second. */
const sharedCallerTtlMs = 400;
const userAgent = "ledger-rpc";
/** Who unsigned flat bodies act as, where they are open (D-22). */
const demoCaller: Caller = { userName: demoUserName, institutionId: demoInstitutionId };

/** Logs each change of the store's health once: not every call that it refuses meanwhile. */
function healthLog(logger: Logger): HealthListener {
  let failingSinceMs = 0;
  return (health, cause) => {
    if (health.kind === "well") {
      const seconds = Math.round((Date.now() - failingSinceMs) / 1000);
      logger.info({ seconds }, "the store takes writes again");
      return;
    }
    const { reason, sinceMs } = health;
    failingSinceMs = sinceMs;
    logger.error({ reason, cause: String(cause) }, `the store is unavailable: ${textOfReason(reason)}`);
  };
}

/** What is due goes on by itself once the store is well again; until then nothing is lost. */
function isLoggedByStore(error: unknown): boolean {
  return error instanceof UnavailableError;
}

function eventSettingsOf(config: Config): EventSettings {
  const { events, profile, callbackNetworksAllowed, callbackPortsAllowed, callbackCaFile } = config;
  return {
    ...events,
    httpCallbacks: profile === "sandbox",
    networksAllowed: callbackNetworksAllowed,
    portsAllowed: callbackPortsAllowed,
    ...(callbackCaFile === undefined ? {} : { trustedCertificates: readFileSync(callbackCaFile, "utf8") }),
  };
}

function rulesOf(config: Config, store: Store): PipelineRules {
  const { perSecond, burst } = config.rateLimit;
  return {
    unknownFields: config.unknownFields,
    httpStatus: config.errorsHttpStatus,
    ...(perSecond > 0 ? { rateLimit: { perSecond, burst } } : {}),
    ...(config.replay === "strict"
      ? { messageSignatures: { nonces: createNonceRegister({ store, clock: systemClock }) } }
      : {}),
  };
}

function policyOf(config: Config): Policy {
  return {
    closedIsFinal: config.closedIsFinal,
    overdraft: config.overdraft,
    closing: config.closing,
    httpCallbacks: config.profile === "sandbox",
    callbackNetworksAllowed: config.callbackNetworksAllowed,
    callbackPortsAllowed: config.callbackPortsAllowed,
    ...(config.custodialTypes === undefined ? {} : { custodialTypes: config.custodialTypes }),
  };
}

/** The service's own key for a database. */
export function sealerOf(config: Config): SealerSource {
  return (known) => sealer(sealKeyOf(config, known));
}
