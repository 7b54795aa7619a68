import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { omitUndefined } from "../contract/index.ts";
import type { Application } from "./application.ts";
import type { Config } from "../operations/config/index.ts";
import type { EventSettings } from "../events/index.ts";
import { folderMailer, smtpMailer } from "../events/mail/index.ts";
import type { PipelineRules } from "../pipeline/index.ts";
import {
  textOfReason,
  UnavailableError,
  type Clock,
  type IdSource,
  type Mailer,
  type Store,
} from "../store/ports/index.ts";
import type { Policy } from "../pipeline/handler-context.ts";
import {
  isSharedStore,
  openReader as openStoreReader,
  type HealthListener,
  type OpenStoreOptions,
  type SealerSource,
} from "../store/index.ts";
import { sealer, sealKeyOf } from "../operations/system/index.ts";
import type { Tracing } from "../operations/tracing/index.ts";

/** Logs each change of the store's health once: not every call that it refuses meanwhile. */
export function healthLog(logger: Logger): HealthListener {
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

/** Opens the store for reading alone, beside a service that may be writing to it. */
export function openReader({ schema }: Pick<Application, "schema">, { database }: Config): Promise<Store> {
  return openStoreReader(database.url, schema, { connections: database });
}

/** How the configured store is opened. */
export function storeOptionsOf(config: Config, migrate: boolean): OpenStoreOptions {
  return { migrate, reads: config.reads, connections: config.database, sealer: sealerOf(config) };
}

/** The service's own key for a database. */
export function sealerOf(config: Config): SealerSource {
  return (known) => sealer(sealKeyOf(config, known));
}

/** Whether the store itself logs a failure: due work continues once it recovers, and nothing is lost. */
export function isLoggedByStore(error: unknown): boolean {
  return error instanceof UnavailableError;
}

/** How events are delivered. */
export function eventSettingsOf(config: Config): EventSettings {
  const { events, profile, callbackNetworksAllowed, callbackPortsAllowed, callbackCaFile } = config;
  return {
    ...events,
    httpCallbacks: profile === "sandbox",
    networksAllowed: callbackNetworksAllowed,
    portsAllowed: callbackPortsAllowed,
    ...omitUndefined({
      trustedCertificates: callbackCaFile === undefined ? undefined : readFileSync(callbackCaFile, "utf8"),
    }),
  };
}

/** The rules of all pipelines. */
export function rulesOf(config: Config): PipelineRules {
  const { perSecond, burst } = config.rateLimit;
  return omitUndefined({
    unknownFields: config.unknownFields,
    httpStatus: config.errorsHttpStatus,
    callTimeMs: config.given.number("calls.timeMs"),
    checkResults: config.given.flag("results.check"),
    rateLimit: perSecond > 0 ? { perSecond, burst } : undefined,
    isStrict: config.replay === "strict",
  });
}

/** The rules that handlers obey. */
export function policyOf(config: Config, interfaces: readonly string[]): Policy {
  return {
    interfaces,
    subscriptionsPerUserMax: config.subscriptionsPerUserMax,
    httpCallbacks: config.profile === "sandbox",
    callbackNetworksAllowed: config.callbackNetworksAllowed,
    callbackPortsAllowed: config.callbackPortsAllowed,
  };
}

/** The configured transport of mails. */
export function mailerOf(
  { mail, dataDir }: Config,
  { clock, ids }: { readonly clock: Clock; readonly ids: IdSource },
): Mailer {
  const { from } = mail;
  if (mail.transport === "folder") return folderMailer({ folder: join(dataDir, "mail"), from, clock, ids });
  const { host, port, security, login } = mail;
  return smtpMailer({ host, port, security, from, ...login });
}

/** Tracing, where it is on; its module is loaded only then. */
export async function tracingOf(
  { tracing }: Config,
  version: string,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTracing } = await import("../operations/tracing/index.ts");
  return openTracing({
    ...tracing,
    version,
    onProblem: (cause) => logger.warn({ cause }, "traces are lost: the collector does not take them"),
  });
}

/** Whether other processes may work on the same database. */
export function isShared({ database }: Config): boolean {
  return isSharedStore(database.url);
}
