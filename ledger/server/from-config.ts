import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { omitUndefined } from "../../runtime/contract/index.ts";
import { createNonceRegister } from "../../runtime/auth/index.ts";
import type { Config } from "../../runtime/config/index.ts";
import type { EventSettings } from "../../runtime/delivery/index.ts";
import { folderMailer, smtpMailer } from "../../runtime/mail/index.ts";
import type { PipelineRules } from "../../runtime/pipeline/index.ts";
import {
  textOfReason,
  UnavailableError,
  type Clock,
  type IdSource,
  type Mailer,
  type Policy,
  type Store,
} from "../../runtime/ports/index.ts";
import { isSharedStore, type HealthListener } from "../../runtime/storage/index.ts";
import { systemClock } from "../../runtime/system/index.ts";
import type { Tracing } from "../../runtime/tracing/index.ts";
import { version } from "./version.ts";

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
export function rulesOf(config: Config, store: Store): PipelineRules {
  const { perSecond, burst } = config.rateLimit;
  return omitUndefined({
    unknownFields: config.unknownFields,
    httpStatus: config.errorsHttpStatus,
    rateLimit: perSecond > 0 ? { perSecond, burst } : undefined,
    messageSignatures:
      config.replay === "strict" ? { nonces: createNonceRegister({ store, clock: systemClock }) } : undefined,
  });
}

/** The rules that handlers obey. */
export function policyOf(config: Config, interfaces: readonly string[]): Policy {
  return omitUndefined({
    interfaces,
    closedIsFinal: config.closedIsFinal,
    overdraft: config.overdraft,
    subscriptionsPerUserMax: config.subscriptionsPerUserMax,
    closing: config.closing,
    httpCallbacks: config.profile === "sandbox",
    callbackNetworksAllowed: config.callbackNetworksAllowed,
    callbackPortsAllowed: config.callbackPortsAllowed,
    custodialTypes: config.custodialTypes,
  });
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
export async function tracingOf({ tracing }: Config, logger: Logger): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTracing } = await import("../../runtime/tracing/index.ts");
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
