import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Yaml from "yaml";
import type { ConfigSources, Values } from "./checks.ts";
import type { Config, GivenValues, MailConfig, TracingConfig } from "./config-types.ts";
import { namesOf, samplers, settingsOf, type Configured } from "./settings/index.ts";
import { serviceNames } from "./service-names.ts";
import { ConfigError, inspectValues, loadValues, type InspectedValues } from "./values.ts";

/**
 * Reads environment and file: for `ledger` the one that `LEDGER_CONFIG` names, else `ledger-server.yaml` in the working
 * folder if there is one.
 * @throws ConfigError naming every mistake.
 */
export function loadConfig(
  application: Configured,
  env: ConfigSources["env"],
  beside: Pick<ConfigSources, "acceptsWeakKey" | "given"> = {},
): Config {
  const { values, warnings } = loadValues({ ...sourcesOf(application, env), ...beside });
  return configOf(values, application, warnings);
}

/**
 * The values of environment and file, with their mistakes.
 * @throws ConfigError when the file cannot be read.
 */
export function inspectConfig(application: Configured, env: ConfigSources["env"]): InspectedValues {
  return inspectValues(sourcesOf(application, env));
}

function sourcesOf(application: Configured, env: ConfigSources["env"]): ConfigSources {
  const settings = settingsOf(application);
  const { variables, configFile } = serviceNames(application);
  const named = env[`${variables}CONFIG`];
  const path = named ?? (existsSync(configFile) ? configFile : undefined);
  const sources = { settings, env, variables };
  return path === undefined ? sources : { ...sources, file: { path, ...readFile(path) } };
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

function configOf(values: Values, application: Configured, warnings: Config["warnings"]): Config {
  const checked = givenValues(values);
  const { text, number, choice } = checked;
  return {
    profile: choice("profile", "sandbox", "production"),
    dataDir: text("dataDir"),
    database: databaseOf(values, checked, serviceNames(application).databaseFile),
    http: { shutdownGraceMs: number("http.shutdownGraceMs") },
    endpoints: new Map(
      namesOf(application).map(({ name }) => {
        const names = optionalList(values, `${name}.names`) ?? [];
        const origin = optionalText(values, `${name}.origin`);
        return [name, { host: text(`${name}.host`), port: number(`${name}.port`), names, origin }];
      }),
    ),
    limits: limitsOf(checked),
    metricsPublic: choice("metrics.public", "off", "on") === "on",
    referencePages: choice("reference.pages", "off", "on") === "on",
    consolePages: choice("console.pages", "off", "on") === "on",
    consoleReport: optionalText(values, "console.report"),
    logLevel: text("log.level"),
    errorsHttpStatus: choice("errors.httpStatus", "ok", "mapped"),
    unknownFields: choice("validation.unknownFields", "ignore", "reject"),
    flatBodies: choice("auth.flatBodies", "signed", "open"),
    replay: choice("auth.replay", "standard", "strict"),
    subscriptionsPerUserMax: number("subscriptions.perUserMax"),
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
    given: checked,
    warnings,
  };
}

function givenValues(values: Values): GivenValues {
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
    flag: (path) => values.get(path) === true,
    list: (path) => optionalList(values, path),
  };
}

function databaseOf(values: Values, { text, number }: GivenValues, databaseFile: string): Config["database"] {
  const url = optionalText(values, "database.url");
  return {
    url: url ?? `sqlite:${join(text("dataDir"), databaseFile)}`,
    isInDataDir: url === undefined,
    poolSize: number("database.poolSize"),
    statementTimeoutMs: number("database.statementTimeoutMs"),
    connectTimeoutMs: number("database.connectTimeoutMs"),
  };
}

function limitsOf({ number }: GivenValues): Config["limits"] {
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

function mailOf(values: Values, { text, number, choice }: GivenValues): MailConfig {
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

function tracingOf(values: Values, { text, number, choice }: GivenValues): TracingConfig | undefined {
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
