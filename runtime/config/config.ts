import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Yaml from "yaml";
import type { ConfigSources, Values } from "./checks.ts";
import type { Config, MailConfig, TracingConfig } from "./config-types.ts";
import { samplers, settingsOf, type NamedInterface } from "./settings/index.ts";
import { ConfigError, inspectValues, loadValues, type InspectedValues } from "./values.ts";

const defaultFile = "ledger-server.yaml";

/**
 * Reads environment and file: the one that `LEDGER_CONFIG` names, else `ledger-server.yaml` in the working folder if
 * there is one.
 * @throws ConfigError naming every mistake.
 */
export function loadConfig(
  env: ConfigSources["env"],
  interfaces: readonly NamedInterface[],
  accepting: Pick<ConfigSources, "acceptsWeakKey"> = {},
): Config {
  const { values, warnings } = loadValues({ ...sourcesOf(env, interfaces), ...accepting });
  return configOf(values, interfaces, warnings);
}

/**
 * The values of environment and file, with their mistakes.
 * @throws ConfigError when the file cannot be read.
 */
export function inspectConfig(
  env: ConfigSources["env"],
  interfaces: readonly NamedInterface[],
): InspectedValues {
  return inspectValues(sourcesOf(env, interfaces));
}

function sourcesOf(env: ConfigSources["env"], interfaces: readonly NamedInterface[]): ConfigSources {
  const settings = settingsOf(interfaces);
  const named = env["LEDGER_CONFIG"];
  const path = named ?? (existsSync(defaultFile) ? defaultFile : undefined);
  return path === undefined ? { settings, env } : { settings, env, file: { path, ...readFile(path) } };
}

function readFile(path: string): { readonly content: unknown; readonly mode: number } {
  // Seventy modules, loaded only where there is a file.
  const { parse }: typeof Yaml = createRequire(import.meta.url)("yaml");
  try {
    return { content: parse(readFileSync(path, "utf8")), mode: statSync(path).mode };
  } catch (error) {
    throw new ConfigError([
      { where: path, message: error instanceof Error ? error.message : "cannot be read" },
    ]);
  }
}

function configOf(
  values: Values,
  interfaces: readonly NamedInterface[],
  warnings: Config["warnings"],
): Config {
  const checked = checkedValues(values);
  const { text, number, choice } = checked;
  return {
    profile: choice("profile", "sandbox", "production"),
    dataDir: text("dataDir"),
    database: databaseOf(values, checked),
    http: { shutdownGraceMs: number("http.shutdownGraceMs") },
    endpoints: new Map(
      interfaces.map(({ name }) => {
        const names = optionalList(values, `${name}.names`) ?? [];
        return [name, { host: text(`${name}.host`), port: number(`${name}.port`), names }];
      }),
    ),
    limits: limitsOf(checked),
    metricsPublic: choice("metrics.public", "off", "on") === "on",
    referencePages: choice("reference.pages", "off", "on") === "on",
    consolePages: choice("console.pages", "off", "on") === "on",
    consoleReport: optionalText(values, "console.report"),
    partnerInterface: choice("partner.interface", "off", "on") === "on",
    logLevel: text("log.level"),
    errorsHttpStatus: choice("errors.httpStatus", "ok", "mapped"),
    unknownFields: choice("validation.unknownFields", "ignore", "reject"),
    flatBodies: choice("auth.flatBodies", "signed", "open"),
    replay: choice("auth.replay", "standard", "strict"),
    closedIsFinal: values.get("accounts.closedIsFinal") === true,
    overdraft: choice("accounts.overdraft", "allow", "refuse"),
    subscriptionsPerUserMax: number("subscriptions.perUserMax"),
    closing: choice("accounts.closing", "any", "settled"),
    custodialTypes: optionalList(values, "accounts.custodialTypes"),
    reads: {
      threads: number("reads.threads"),
      rowsMax: number("reads.rowsMax"),
      timeMs: number("reads.timeMs"),
    },
    callbackNetworksAllowed: optionalList(values, "callbacks.allowedNetworks") ?? [],
    callbackPortsAllowed: (optionalList(values, "callbacks.allowedPorts") ?? []).map(Number),
    callbackCaFile: optionalText(values, "callbacks.caFile"),
    events: {
      timeoutMs: number("events.timeoutMs"),
      concurrency: number("events.concurrency"),
      originConcurrency: number("events.originConcurrency"),
      waitingPerUserMax: number("events.waitingPerUserMax"),
      retentionDays: number("events.retentionDays"),
    },
    audit: { rootMinutes: number("audit.rootMinutes") },
    rateLimit: { perSecond: number("rateLimit.perSecond"), burst: number("rateLimit.burst") },
    mail: mailOf(values, checked),
    tracing: tracingOf(values, checked),
    sealKey: optionalText(values, "secrets.sealKey"),
    warnings,
  };
}

/** Reads settings that have a value, each as its type. A setting without one is a bug: the values were checked. */
interface CheckedValues {
  text(path: string): string;
  number(path: string): number;
  choice<T extends string>(path: string, ...choices: readonly T[]): T;
}

function checkedValues(values: Values): CheckedValues {
  return {
    text: (path) => needed(optionalText(values, path), path),
    number(path) {
      const value = values.get(path);
      return needed(typeof value === "number" ? value : undefined, path);
    },
    choice(path, ...choices) {
      const value = values.get(path);
      return needed(
        choices.find((candidate) => candidate === value),
        path,
      );
    },
  };
}

function databaseOf(values: Values, { text, number }: CheckedValues): Config["database"] {
  const url = optionalText(values, "database.url");
  return {
    url: url ?? `sqlite:${join(text("dataDir"), "ledger.sqlite")}`,
    isInDataDir: url === undefined,
    poolSize: number("database.poolSize"),
    statementTimeoutMs: number("database.statementTimeoutMs"),
    connectTimeoutMs: number("database.connectTimeoutMs"),
  };
}

function limitsOf({ number }: CheckedValues): Config["limits"] {
  return {
    connectionsMax: number("http.connectionsMax"),
    connectionsPerAddressMax: number("http.connectionsPerAddressMax"),
    requestsMax: number("http.requestsMax"),
    requestsPerConnectionMax: number("http.requestsPerConnectionMax"),
    queueMaxMs: number("http.queueMaxMs"),
    bodyBytesMax: number("http.bodiesMaxMb") * 1024 * 1024,
    headersTimeoutMs: number("http.headersTimeoutMs"),
    requestTimeoutMs: number("http.requestTimeoutMs"),
    keepAliveTimeoutMs: number("http.keepAliveTimeoutMs"),
    answerTimeoutMs: number("http.answerTimeoutMs"),
    answerBytesMax: number("http.answersMaxMb") * 1024 * 1024,
  };
}

function mailOf(values: Values, { text, number, choice }: CheckedValues): MailConfig {
  const from = text("mail.from");
  if (choice("mail.transport", "folder", "smtp") === "folder") return { transport: "folder", from };
  const user = optionalText(values, "mail.smtp.user");
  const password = optionalText(values, "mail.smtp.password");
  return {
    transport: "smtp",
    from,
    host: text("mail.smtp.host"),
    port: number("mail.smtp.port"),
    security: choice("mail.smtp.security", "tls", "starttls", "none"),
    login: user === undefined || password === undefined ? undefined : { user, password },
  };
}

function tracingOf(values: Values, { text, number, choice }: CheckedValues): TracingConfig | undefined {
  if (choice("tracing.exporter", "none", "otlp") === "none") return undefined;
  return {
    endpoint: optionalText(values, "tracing.endpoint"),
    serviceName: text("tracing.serviceName"),
    sampler: choice("tracing.sampler", ...samplers),
    sampleRatio: number("tracing.sampleRatio"),
  };
}

function needed<T>(value: T | undefined, path: string): T {
  if (value === undefined) throw new Error(`the checked settings lack ${path}`);
  return value;
}

function optionalText(values: Values, path: string): string | undefined {
  const value = values.get(path);
  return typeof value === "string" ? value : undefined;
}

function optionalList(values: Values, path: string): readonly string[] | undefined {
  const value = values.get(path);
  return typeof value === "object" ? value : undefined;
}
