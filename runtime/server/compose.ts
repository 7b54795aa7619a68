import { mkdirSync } from "node:fs";
import type { Logger } from "pino";
import { omitUndefined } from "../contract/index.ts";
import type { Config } from "../operations/config/index.ts";
import { idSource, plannedIds, systemClock, type PlannedIds } from "../operations/system/index.ts";
import {
  createCallers,
  storedNonces,
  createEventTranslator,
  createPipeline,
  createStandardPipeline,
  createVerifier,
  type CallersOptions,
  type ProcessCallers,
  type EngineParts,
  type OutboxListener,
  type Pipeline,
  type PipelineRules,
} from "../pipeline/index.ts";
import { createReplayRegister, signedEnvelope } from "../auth/index.ts";
import type { Clock, Sealer, Store, Tracer } from "../store/ports/index.ts";
import { openStore, systemOf, type MigrationListener, type KnownSealKeys } from "../store/index.ts";
import { tracedStore } from "../operations/tracing/index.ts";
import {
  healthLog,
  isLoggedByStore,
  isShared,
  policyOf,
  rulesOf,
  sealerOf,
  storeOptionsOf,
  tracingOf,
} from "./from-config.ts";
import { listen, type Listening, type Wake } from "./listen.ts";
import {
  hasUsers,
  type AnyRow,
  type Application,
  type InterfaceRow,
  type StandardRow,
} from "./application.ts";
import type { EventTranslator } from "../pipeline/event-translator.ts";
import type { Caller } from "../auth/auth-services.ts";

/** The parts of the service, composed and not yet listening. */
export interface Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: PlannedIds;
  readonly sealer: Sealer;
  /** By the name of the interface. */
  readonly pipelines: ReadonlyMap<string, Pipeline>;
  readonly logger: Logger;
  /** The next call of this user is authenticated from the store, on every port. */
  invalidateCaller(userName: string): void;
  /** Opens a port for each interface and starts delivering events and mail. */
  listen(): Promise<Listening>;
  /** Closes the store. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Whether pending migrations are applied; otherwise they are an error. */
  readonly migrate: boolean;
  /** Called before each migration. */
  readonly onMigration?: MigrationListener;
}

/** Puts the service of an application together: the one place that knows every adapter. */
export async function compose(application: Application, options: ComposeOptions): Promise<Service> {
  const { config, logger, migrate } = options;
  const { eventInterface } = application;
  const interfaces = servedBy(config, application.interfaces);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const clock = systemClock;
  const ids = plannedIds(idSource(clock));
  let seal: Sealer | undefined;
  const tracing = await tracingOf(config, application.version, logger);
  const tracer = tracing?.tracer;
  const sealing = { sealer: (keys: KnownSealKeys) => (seal = sealerOf(config)(keys)) };
  const { onMigration } = options;
  const heard = { ...omitUndefined({ onMigration }), onHealth: healthLog(logger) };
  const opening = { ...storeOptionsOf(config, migrate), ...heard, ...sealing };
  const opened = await openStore(config.database.url, application.schema, opening);
  if (seal === undefined) throw new Error("the store was opened without the seal key");
  const sealer: Sealer = seal;
  const store = tracer === undefined ? opened : tracedStore(opened, tracer, systemOf(config.database.url));
  const wake: Wake = {};
  const names = interfaces
    .filter(({ beside, isManagedByCommands }) => !beside && isManagedByCommands !== true)
    .map(({ descriptor }) => descriptor.name);
  const policy = policyOf(config, names);
  const eventTranslator = translatorOf(eventInterface);
  const rest = {
    context: application.context(config),
    policy,
    ...omitUndefined({ tracer, eventTranslator }),
  };
  const ports = { store, clock, ids, sealer, ...rest };
  const verifier = createVerifier();
  const known = callersOf(config, { store, clock, logger });
  const shared = {
    ports,
    verifier,
    replays: createReplayRegister({ clock, shelf: storedNonces(store) }),
    log: logger,
    eventSource: application.name,
    ...omitUndefined({ eventInterface: eventInterface?.descriptor }),
    onOutbox: outboxListener(wake, tracer),
  };
  const rules = rulesOf(config);
  const pipelines = new Map<string, Pipeline>();
  const composing = { ...shared, rules, openCaller: application.openCaller };
  for (const row of interfaces) {
    // Of revocations by commands no other process is told.
    const callers = row.isManagedByCommands && isShared(config) ? known.uncached : known;
    const pipeline = hasUsers(row)
      ? signedPipeline(row, { ...composing, callers }, config)
      : standardPipeline(row, { ...composing, callers });
    pipelines.set(pipeline.name, pipeline);
  }
  const close = (): Promise<void> => closeInOrder([known, verifier, store, tracing]);
  const service = { store, clock, ids, sealer, pipelines, logger, close };
  return {
    ...service,
    invalidateCaller: known.invalidate,
    listen: () => listen({ ...service, eventTranslator, application, config, interfaces, wake, tracing }),
  };
}

function translatorOf(row: InterfaceRow | undefined): EventTranslator | undefined {
  return row && createEventTranslator(row.revisions ?? [], row.descriptor);
}

/** What the pipelines of a service share. */
interface Composing extends EngineParts {
  readonly rules: PipelineRules;
  readonly openCaller: Caller | undefined;
}

function signedPipeline(
  { descriptor, isPublic, beside, auth = signedEnvelope(), ...row }: InterfaceRow,
  { openCaller, ...composing }: Composing,
  { flatBodies, endpoints }: Config,
): Pipeline {
  const open = isPublic === true && flatBodies === "open" && omitUndefined({ openFlatBodies: openCaller });
  const realm = beside?.name ?? descriptor.name;
  const origin = endpoints.get(realm)?.origin;
  const rules = { ...composing.rules, ...open, ...omitUndefined({ origin }) };
  return createPipeline({ ...composing, ...row, interfaceDescriptor: descriptor, auth, realm, rules });
}

function standardPipeline({ auth = {}, ...row }: StandardRow, composing: Composing): Pipeline {
  return createStandardPipeline({
    ...composing,
    ...row,
    auth,
    realm: row.beside?.name ?? row.descriptor.name,
  });
}

async function closeInOrder(parts: readonly ({ close(): Promise<void> } | undefined)[]): Promise<void> {
  for (const part of parts) await part?.close();
}

/** The rows that are served: optional ones and those beside another only where they are on. */
function servedBy(config: Config, rows: readonly AnyRow[]): readonly AnyRow[] {
  const { given } = config;
  return rows.filter(({ beside, isOptional, descriptor: { name } }) =>
    beside === undefined
      ? isOptional !== true || given.choice(`${name}.interface`, "off", "on") === "on"
      : beside.isOn(config),
  );
}

/** Wakes what works off the outboxes. That work goes on after the call, and is no part of its trace. */
function outboxListener(wake: Wake, tracer: Tracer | undefined): OutboxListener {
  const listener: OutboxListener = ({ mails, events, deliveries }) => {
    if (mails) wake.delivery?.sendMails();
    if (events) wake.delivery?.pollOutbox();
    if (deliveries) wake.delivery?.claimDue();
  };
  return tracer === undefined ? listener : (left) => tracer.detached(() => listener(left));
}

/** Callers as ports know them. */
function callersOf(
  config: Config,
  { logger, ...parts }: Pick<ComposeOptions, "logger"> & Pick<CallersOptions, "store" | "clock">,
): ProcessCallers {
  const onFailure = (error: unknown): void => {
    if (!isLoggedByStore(error)) logger.error({ err: error }, "when keys were last used was not stored");
  };
  return createCallers({ ...parts, onFailure, ...(isShared(config) && { ttlMs: sharedCallerTtlMs }) });
}

/** With the resolution of the cache as much again: another process sees a revoked key refused within a second. */
const sharedCallerTtlMs = 400;
