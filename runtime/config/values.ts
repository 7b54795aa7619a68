import { isIP } from "node:net";
import type { Setting, Value } from "./settings/index.ts";

/** Values by setting path, checked. */
export type Values = ReadonlyMap<string, Value>;

export interface Mistake {
  /** Where the value came from: an environment variable, or a path in the file. */
  readonly where: string;
  readonly message: string;
}

/** Thrown at start with every mistake there is, so that they can be mended in one go. Never holds a secret's value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ where, message }) => `${where}: ${message}`).join("\n"));
    this.mistakes = mistakes;
  }
}

export interface ConfigSources {
  /** Everything that can be set: `settingsOf`. */
  readonly settings: readonly Setting[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The parsed configuration file, and its path for messages. */
  readonly file?: { readonly path: string; readonly content: unknown };
}

/** The values of all sources, usable or not. */
export interface InspectedValues {
  readonly values: Values;
  /** By setting path, where its value stands: a variable, or a path in the file. Absent: the default is in force. */
  readonly origins: ReadonlyMap<string, string>;
  readonly mistakes: readonly Mistake[];
}

/**
 * Merges defaults, file and environment (the environment wins) and checks all of it.
 * @throws ConfigError naming every mistake.
 */
export function loadValues(sources: ConfigSources): Values {
  const { values, mistakes } = inspectValues(sources);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return values;
}

/** The same without an exception: a value with a mistake is absent. */
export function inspectValues({ settings, env, file }: ConfigSources): InspectedValues {
  const mistakes: Mistake[] = [];
  const given = new Map<string, { readonly raw: unknown; readonly where: string }>();
  if (file !== undefined) {
    for (const [path, raw] of leaves(file.content, "", { settings, mistakes, filePath: file.path })) {
      const setting = settings.find(({ formerPath }) => formerPath === path);
      given.set(setting?.path ?? path, { raw, where: `${file.path}: ${path}` });
    }
  }
  for (const setting of settings) {
    const raw = env[setting.env];
    if (raw !== undefined && raw !== "") given.set(setting.path, { raw, where: setting.env });
  }
  reportUnknown(settings, given, env, mistakes);

  const profile = given.get("profile")?.raw === "production" ? "production" : "sandbox";
  const values = new Map<string, Value>();
  for (const setting of settings) {
    const source = given.get(setting.path);
    const value =
      source === undefined ? setting[profile] : parse(setting, source.raw, source.where, mistakes);
    if (value !== undefined) values.set(setting.path, value);
    else if (source === undefined && profile === "production" && setting.needed) {
      mistakes.push({
        where: setting.env,
        message: `is needed under the production profile. ${setting.doc}`,
      });
    }
  }
  checkTogether(settings, values, profile, mistakes);
  const origins = new Map([...given].map(([path, { where }]) => [path, where]));
  return { values, origins, mistakes };
}

function parse(
  { kind, secret }: Setting,
  raw: unknown,
  where: string,
  mistakes: Mistake[],
): Value | undefined {
  const shown = secret ? "the given value" : JSON.stringify(raw);
  const refuse = (expected: string): undefined => {
    mistakes.push({ where, message: `${shown} is not ${expected}` });
  };
  switch (kind.of) {
    case "text":
      return typeof raw === "string" && raw !== "" ? raw : refuse("a text");
    case "choice":
      return typeof raw === "string" && kind.choices.includes(raw)
        ? raw
        : refuse(`one of ${kind.choices.join(", ")}`);
    case "flag":
      if (raw === true || raw === "true") return true;
      if (raw === false || raw === "false") return false;
      return refuse("true or false");
    case "integer": {
      const number = typeof raw === "string" && /^[0-9]+$/.test(raw) ? Number(raw) : raw;
      const fits = typeof number === "number" && Number.isInteger(number);
      if (fits && number >= kind.minimum && number <= kind.maximum) return number;
      return refuse(`a whole number from ${kind.minimum} to ${kind.maximum}`);
    }
    case "number": {
      const number = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
      if (typeof number === "number" && number >= kind.minimum && number <= kind.maximum) return number;
      return refuse(`a number from ${kind.minimum} to ${kind.maximum}`);
    }
    case "list": {
      const items: unknown = typeof raw === "string" ? raw.split(",").map((item) => item.trim()) : raw;
      const good = Array.isArray(items) && items.every((item) => typeof item === "string" && item !== "");
      return good ? items : refuse("a list of texts (in a variable: separated by commas)");
    }
  }
}

function* leaves(
  content: unknown,
  prefix: string,
  reading: {
    readonly settings: readonly Setting[];
    readonly mistakes: Mistake[];
    readonly filePath: string;
  },
): Generator<readonly [string, unknown]> {
  if (content === null || content === undefined) return;
  const { settings, mistakes, filePath } = reading;
  if (typeof content !== "object" || Array.isArray(content)) {
    mistakes.push({ where: filePath, message: "is not a mapping of settings" });
    return;
  }
  for (const [key, value] of Object.entries(content)) {
    const path = prefix + key;
    const isGroup = settings.some(
      (setting) => isBelow(setting.path, path) || isBelow(setting.formerPath, path),
    );
    if (isGroup) yield* leaves(value, `${path}.`, reading);
    else yield [path, value];
  }
}

function isBelow(path: string | undefined, group: string): boolean {
  return path?.startsWith(`${group}.`) === true;
}

function reportUnknown(
  settings: readonly Setting[],
  given: ReadonlyMap<string, { readonly where: string }>,
  env: ConfigSources["env"],
  mistakes: Mistake[],
): void {
  for (const [path, { where }] of given) {
    if (!settings.some((setting) => setting.path === path)) {
      mistakes.push({ where, message: "is not a setting. `ledger-server settings` lists them" });
    }
  }
  for (const name of Object.keys(env)) {
    const known = name === "LEDGER_CONFIG" || settings.some((setting) => setting.env === name);
    if (name.startsWith("LEDGER_") && !known) {
      mistakes.push({ where: name, message: "is not a setting. `ledger-server settings` lists them" });
    }
  }
}

/** The rules that involve several settings, or more than the type of one. */
function checkTogether(
  settings: readonly Setting[],
  values: Values,
  profile: string,
  mistakes: Mistake[],
): void {
  checkProfile(settings, values, profile, mistakes);
  if (Number(values.get("http.headersTimeoutMs")) > Number(values.get("http.requestTimeoutMs"))) {
    mistakes.push({
      where: "http.requestTimeoutMs",
      message: "is shorter than http.headersTimeoutMs: a whole request takes at least as long as its headers",
    });
  }
  checkMail(values, mistakes);
  const fault = faultOfDatabases(values.get("database.others"));
  if (fault !== undefined) mistakes.push({ where: "database.others", message: fault });
  const sealKey = values.get("secrets.sealKey");
  if (typeof sealKey === "string" && !/^[A-Za-z0-9+/]{43}=$/.test(sealKey)) {
    mistakes.push({
      where: "secrets.sealKey",
      message: "is not the base64 of 32 bytes (openssl rand -base64 32)",
    });
  }
  const collector = values.get("tracing.endpoint");
  if (typeof collector === "string" && !isPlainHttpUrl(collector)) {
    mistakes.push({
      where: "tracing.endpoint",
      message:
        "is no http or https URL without user and password, which OTEL_EXPORTER_OTLP_HEADERS may hold: " +
        "http://collector:4318/v1/traces",
    });
  }
  checkCallbacks(values, mistakes);
}

/** The sandbox serves this machine alone, production nothing that is open. */
function checkProfile(
  settings: readonly Setting[],
  values: Values,
  profile: string,
  mistakes: Mistake[],
): void {
  if (profile !== "sandbox") {
    if (values.get("auth.flatBodies") === "open")
      mistakes.push({ where: "auth.flatBodies", message: "open is for the sandbox profile only" });
    return;
  }
  for (const { path } of settings.filter(({ listens }) => listens === true)) {
    const host = values.get(path);
    if (typeof host === "string" && !isLoopback(host)) {
      mistakes.push({
        where: path,
        message: `${host} is not a loopback address: the sandbox serves this machine only`,
      });
    }
  }
}

function checkMail(values: Values, mistakes: Mistake[]): void {
  const sender = values.get("mail.from");
  if (typeof sender === "string" && !/^[^\s@]+@[^\s@]+$|<[^\s@<>]+@[^\s@<>]+>$/.test(sender)) {
    mistakes.push({ where: "mail.from", message: "is no address such as ledger@bank.example" });
  }
  if (values.get("mail.transport") === "smtp" && !values.has("mail.smtp.host")) {
    mistakes.push({ where: "mail.smtp.host", message: "is needed when mail.transport is smtp" });
  }
  if (values.has("mail.smtp.user") !== values.has("mail.smtp.password")) {
    mistakes.push({
      where: "mail.smtp.user",
      message: "and mail.smtp.password are given together or not at all",
    });
  }
}

function checkCallbacks(values: Values, mistakes: Mistake[]): void {
  for (const network of listOf(values, "callbacks.allowedNetworks")) {
    if (!isCidr(network))
      mistakes.push({ where: "callbacks.allowedNetworks", message: `${network} is not a CIDR range` });
  }
  for (const port of listOf(values, "callbacks.allowedPorts")) {
    if (!/^[0-9]{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      mistakes.push({ where: "callbacks.allowedPorts", message: `${port} is not a port` });
  }
}

function listOf(values: Values, path: string): readonly string[] {
  const value = values.get(path);
  return typeof value === "object" ? value : [];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isPlainHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "http:" || url.protocol === "https:";
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...rest] = text.split("/");
  const family = isIP(address);
  return (
    family !== 0 &&
    rest.length === 0 &&
    /^[0-9]{1,3}$/.test(bits) &&
    Number(bits) <= (family === 4 ? 32 : 128)
  );
}

/** The fault of the list of databases, without repeating an address: it may hold a password. */
function faultOfDatabases(others: Value | undefined): string | undefined {
  if (typeof others !== "string") return undefined;
  const names = new Set(["first"]);
  for (const entry of others.split(/\s+/).filter((each) => each !== "")) {
    const name = /^([a-z][a-z0-9-]*)=[a-z]+:/.exec(entry)?.[1];
    if (name === undefined) return "has an entry that is not <name>=<url>, the name in a-z, 0-9 and -";
    if (names.has(name)) return `names ${name} twice: first is the database of database.url`;
    names.add(name);
  }
  return undefined;
}
