import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Config } from "../config/index.ts";
import { idSource, sealer, sealKeyOf, shareAtRisk, systemClock } from "../system/index.ts";
import { keySetMaxAgeSeconds, startEventDelivery, type EventDelivery } from "../delivery/index.ts";
import {
  addFilePage,
  addKeySetRoute,
  addReferencePages,
  addWebPages,
  createMetrics,
  createRush,
  createWorkLimiter,
  serveHttp,
  type Drained,
  type HttpService,
  type Metrics,
  type Rush,
} from "../http/index.ts";
import { startMailDispatcher, renderMail } from "../mail/index.ts";
import { authSchemes, createCallerCache, createKeyUses, schemeOf, type AuthSchemes } from "../auth/index.ts";
import {
  createEventTranslator,
  createPipeline,
  type OutboxListener,
  type Pipeline,
} from "../pipeline/index.ts";
import type { Caller, Clock, IdSource, Sealer, Store, Tracer } from "../ports/index.ts";
import { demoInstitutionId, demoUserName } from "../seed/index.ts";
import { createVerifier } from "../signing/index.ts";
import {
  isSharedStore,
  keepRoots,
  openReader as openStoreReader,
  rootText,
  type MigrationListener,
  type KnownSealKeys,
  type OpenStoreOptions,
  type SealerSource,
} from "../storage/index.ts";
import { tracedStore, type Tracing } from "../tracing/index.ts";
import { eventSettingsOf, isLoggedByStore, mailerOf, policyOf, rulesOf, tracingOf } from "./from-config.ts";
import { openStores, readBacklogs, together, type Deliveries } from "./stores.ts";
import { eventInterface, interfaces as allInterfaces, type InterfaceRow } from "./interfaces.ts";

/** The parts of the service, composed and not yet listening. */
export interface Service {
  readonly store: Store;
  /** Says in which database a new institution is to be. Absent where there is one database. */
  readonly place?: (institutionId: string, database: string) => Promise<void>;
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
  /** Called before each migration. */
  readonly onMigration?: MigrationListener;
  /** Default: those of `interfaces.ts`. */
  readonly interfaces?: readonly InterfaceRow[];
  /** Default: those of `runtime/auth`. */
  readonly schemes?: AuthSchemes;
}

/** Opens the store for reading alone, beside a service that may be writing to it. */
export function openReader({ database }: Config): Promise<Store> {
  return openStoreReader(database.url, { connections: database });
}

/** How the configured store is opened. */
export function storeOptionsOf(config: Config, migrate: boolean): OpenStoreOptions {
  return { migrate, reads: config.reads, connections: config.database, sealer: sealerOf(config) };
}

/** What listening needs of a composed service. */
interface Composed extends Omit<Service, "listen" | "close"> {
  /** Each database by itself. */
  readonly parts: readonly Store[];
  readonly config: Config;
  readonly interfaces: readonly InterfaceRow[];
  readonly keyUses: { close(): Promise<void> };
  readonly sealer: Sealer;
  readonly wake: Wake;
  readonly rush: Rush;
  readonly tracing: Tracing | undefined;
}

/** What a commit wakes, once the service listens. */
interface Wake {
  mail?: () => void;
  delivery?: Deliveries;
}

/** Puts the service together: the one place that knows every adapter. */
export async function compose(options: ComposeOptions): Promise<Service> {
  const { config, logger, migrate, schemes = authSchemes } = options;
  const interfaces = servedBy(config, options.interfaces ?? allInterfaces);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const clock = systemClock;
  const ids = idSource(clock);
  let seal: Sealer | undefined;
  const tracing = await tracingOf(config, logger);
  const tracer = tracing?.tracer;
  const onMigration = options.onMigration && { onMigration: options.onMigration };
  const sealing = { sealer: (keys: KnownSealKeys) => (seal = sealerOf(config)(keys)) };
  const opening = { ...storeOptionsOf(config, migrate), ...onMigration, ...sealing };
  const { store: opened, parts, place } = await openStores(config, opening, logger);
  if (seal === undefined) throw new Error("the store was opened without the seal key");
  const sealer: Sealer = seal;
  const store = tracer === undefined ? opened : tracedStore(opened, tracer, systemOf(config));
  const wake: Wake = {};
  const names = interfaces.filter(({ beside }) => !beside).map(({ descriptor }) => descriptor.name);
  const policy = policyOf(config, names);
  const keyUses = createKeyUses({
    store,
    clock,
    onFailure: (error) => {
      if (!isLoggedByStore(error)) logger.error({ err: error }, "when keys were last used was not stored");
    },
  });
  const ports = { store, clock, ids, sealer, riskScorer: shareAtRisk, keyUses, policy, renderMail };
  const rush = createRush();
  const shared = {
    ports: tracer === undefined ? ports : { ...ports, tracer },
    callers: createCallerCache({ store, ...(isShared(config) && { ttlMs: sharedCallerTtlMs }) }),
    verifier: createVerifier({ isRushed: rush.isOn }),
    log: logger,
    eventSource: "ledger",
    eventInterface: eventInterface.descriptor,
    onOutbox: outboxListener(wake, tracer),
  };
  const rules = rulesOf(config, store);
  const pipelines = new Map<string, Pipeline>();
  for (const { descriptor, isPublic = false, beside, ...row } of interfaces) {
    const auth = schemeOf(descriptor, schemes, row.auth);
    const open = isPublic && config.flatBodies === "open" && { openFlatBodies: demoCaller };
    const realm = beside?.name ?? descriptor.name;
    const own = { interfaceDescriptor: descriptor, auth, realm, rules: { ...rules, ...open } };
    pipelines.set(descriptor.name, createPipeline({ ...shared, ...row, ...own }));
  }
  const service = { store, clock, ids, pipelines, logger, ...(place && { place }) };
  return {
    ...service,
    listen: () => listen({ ...service, keyUses, parts, config, interfaces, sealer, wake, rush, tracing }),
    close: async () => {
      await keyUses.close();
      await tracing?.close();
      await store.close();
    },
  };
}

/** Opens the ports, then starts delivering events, sending mail and keeping audit roots. */
async function listen(composed: Composed): Promise<Listening> {
  const { config, store, parts, keyUses, clock, ids, logger, sealer, wake, tracing } = composed;
  const { shutdownGraceMs } = config.http;
  const metrics = createMetrics();
  metrics.showBacklog(() => readBacklogs(parts, clock));
  metrics.showStore(() => store.health());
  const events = together(
    await Promise.all(parts.map((part) => startDelivery({ ...composed, store: part }, metrics))),
  );
  const opened = await openPorts(composed, metrics, events);
  wake.delivery = events;
  events.pollOutbox();
  const mailer = mailerOf(config, { clock, ids });
  const mails = parts.map((part) =>
    startMailDispatcher({
      store: part,
      mailer,
      sealer,
      clock,
      onFailure: ({ error, ...failure }) => {
        if (!isLoggedByStore(error)) logger.error({ ...failure, err: error }, "mail was not accepted");
      },
    }),
  );
  wake.mail = () => mails.forEach((each) => each.wake());
  wake.mail();
  const roots = parts.map((part) =>
    keepRoots({
      store: part,
      clock,
      intervalMs: config.audit.rootMinutes * 60_000,
      onRoot: (root) => logger.info({ root: rootText(root) }, "root of the audit entries: keep it elsewhere"),
      onFailure: (error) => {
        if (!isLoggedByStore(error)) logger.error({ err: error }, "no root of the audit entries was kept");
      },
    }),
  );
  return {
    urls: new Map([...opened].map(([name, { url }]) => [name, url])),
    async close() {
      const drained = await Promise.all([...opened.values()].map((port) => port.close(shutdownGraceMs)));
      await events.close(shutdownGraceMs);
      for (const each of mails) await each.close();
      await mailer.close();
      for (const each of roots) await each.close();
      await keyUses.close();
      await store.close();
      await tracing?.close();
      return {
        answered: drained.reduce((sum, { answered }) => sum + answered, 0),
        cut: drained.reduce((sum, { cut }) => sum + cut, 0),
      };
    },
  };
}

/** The checkout, or the package. */
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Pages that call an interface: beside its reference. */
function tryPages(name: string) {
  const generated = `generated/${name}`;
  return {
    path: `/docs/try/${name}`,
    index: "web/try/index.html",
    files: [
      "web/try/",
      "web/shared/",
      `${generated}/client/`,
      `${generated}/validators/`,
      `${generated}/json-schema.json`,
      `${generated}/openrpc.json`,
    ],
  };
}

/** The rows that are served: those beside another only where they are on. */
function servedBy(config: Config, rows: readonly InterfaceRow[]): readonly InterfaceRow[] {
  return rows.filter(({ beside }) => beside === undefined || beside.isOn(config));
}

/** One port for each interface that is not beside another, by its name; closes all, and the delivery, where one cannot be had. */
async function openPorts(
  { config, interfaces, pipelines, store, logger, rush }: Composed,
  metrics: Metrics,
  events: Deliveries,
): Promise<ReadonlyMap<string, HttpService>> {
  const { limits, metricsPublic, referencePages, consolePages, consoleReport } = config;
  const work = createWorkLimiter(limits);
  const shared = { logger, metrics, work, rush, limits, ready: () => store.ping() };
  const addRoutes = (row: InterfaceRow, guests: readonly InterfaceRow[]) => (app: Express) => {
    const { name } = row.descriptor;
    if (row.isPublic) addKeySetRoute(app, () => events.keys.keySet(), keySetMaxAgeSeconds);
    if (referencePages) {
      addWebPages(app, { ...tryPages(name), root });
      addReferencePages(app, join(root, "generated", name, "reference"));
    }
    if (consolePages && row.console !== undefined)
      addFilePage(app, { path: `${row.console.path}/report.html`, file: consoleReport });
    const pages = [row, ...guests].flatMap((each) => (consolePages ? (each.console ?? []) : []));
    for (const each of pages) addWebPages(app, { ...each, root });
  };
  const opened = new Map<string, HttpService>();
  try {
    for (const row of interfaces.filter(({ beside }) => beside === undefined)) {
      const { name } = row.descriptor;
      const guests = interfaces.filter(({ beside }) => beside?.name === name);
      const others = guests.flatMap(({ descriptor }) => pipelines.get(descriptor.name) ?? []);
      const [pipeline, endpoint] = [pipelines.get(name), config.endpoints.get(name)];
      if (pipeline === undefined || endpoint === undefined)
        throw new Error(`the ${name} interface has no settings ${name}.host and ${name}.port`);
      const pages = {
        addRoutes: addRoutes(row, guests),
        showMetrics: row.isPublic !== true || metricsPublic,
      };
      opened.set(name, await serveHttp({ ...shared, ...endpoint, ...pages, pipeline, others }));
    }
  } catch (error) {
    await Promise.all([...opened.values()].map((service) => service.close(0)));
    await events.close(0);
    throw error;
  }
  return opened;
}

function startDelivery(
  { config, store, clock, ids, logger, sealer, wake, tracing }: Composed,
  metrics: Metrics,
): Promise<EventDelivery> {
  return startEventDelivery({
    ...(tracing && { tracer: tracing.tracer }),
    store,
    clock,
    ids,
    sealer,
    settings: eventSettingsOf(config),
    userAgent,
    translator: createEventTranslator(eventInterface.revisions, eventInterface.descriptor.revision),
    isOnlyProcess: !isShared(config),
    renderMail,
    onMail: () => wake.mail?.(),
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

/** Wakes what works off the outboxes. That work goes on after the call, and is no part of its trace. */
function outboxListener(wake: Wake, tracer: Tracer | undefined): OutboxListener {
  const listener: OutboxListener = ({ mails, events, deliveries, cancelled }) => {
    if (mails) wake.mail?.();
    if (events) wake.delivery?.pollOutbox();
    if (deliveries) wake.delivery?.claimDue();
    for (const subscriptionId of cancelled) wake.delivery?.dropQueued(subscriptionId);
  };
  return tracer === undefined ? listener : (left) => tracer.detached(() => listener(left));
}

/** The engine's name in OpenTelemetry's conventions. */
function systemOf({ database }: Config): string {
  const scheme = database.url.slice(0, database.url.indexOf(":"));
  return scheme.startsWith("postgres") ? "postgresql" : scheme;
}

/** Whether other processes may work on the same database. */
function isShared({ database }: Config): boolean {
  return isSharedStore(database.url);
}

/** With the resolution of the cache as much again: another process sees a revoked key refused within a second. */
const sharedCallerTtlMs = 400;
const userAgent = "ledger-rpc";
/** Who unsigned flat bodies act as, where they are open (D-22). */
const demoCaller: Caller = { userName: demoUserName, institutionId: demoInstitutionId };

/** The service's own key for a database. */
export function sealerOf(config: Config): SealerSource {
  return (known) => sealer(sealKeyOf(config, known));
}
