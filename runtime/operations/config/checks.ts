import { isIP } from "node:net";
import type { Setting, Value } from "./settings/index.ts";

/** Values by setting path, checked. */
export type Values = ReadonlyMap<string, Value>;

export interface Mistake {
  /** Where the value came from: an environment variable, or a path in the file. */
  readonly where: string;
  readonly message: string;
}

export interface ConfigSources {
  /** Everything that can be set: `settingsOf`. */
  readonly settings: readonly Setting[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values by setting path that the program itself gives: they come before environment and file. */
  readonly given?: Readonly<Record<string, Value>>;
  /** What the environment variables begin with; default: `LEDGER_`. */
  readonly variables?: string;
  /** The parsed configuration file, its path for messages, and its permission bits. */
  readonly file?: { readonly path: string; readonly content: unknown; readonly mode: number };
  /** Takes a weak seal key: to seal everything with another one. */
  readonly acceptsWeakKey?: boolean;
}

/** Values to be checked together, and where mistakes go. */
interface Checked extends ConfigSources {
  readonly values: Values;
  /** By setting path, where its value stands. */
  readonly origins: ReadonlyMap<string, string>;
  readonly profile: string;
  readonly mistakes: Mistake[];
  /** Paths of secret settings that the file holds, in force or not. */
  readonly secretsInFile: readonly string[];
}

/** The rules that involve several settings, or more than the type of one. Returns what is only to be warned of. */
export function checkTogether(checked: Checked): readonly Mistake[] {
  const { settings, values, profile, mistakes } = checked;
  checkProfile(settings, values, profile, mistakes);
  if (Number(values.get("http.headersTimeoutMs")) > Number(values.get("http.requestTimeoutMs"))) {
    mistakes.push({
      where: "http.requestTimeoutMs",
      message: "is shorter than http.headersTimeoutMs: a whole request takes at least as long as its headers",
    });
  }
  checkMail(values, mistakes);
  checkDatabase(checked);
  checkSealKey(checked);
  checkCertificates(checked);
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
  checkNames(checked);
  return checkFile(checked);
}

/** Bits of a file's mode by which others than its owner and its group read it, or others than its owner write it. */
const openToOthers = 0o027;

/** A file that holds secrets and is open to others: a mistake in production, unless none of these secrets is in force. */
function checkFile({ file, secretsInFile, origins, profile, mistakes }: Checked): readonly Mistake[] {
  if (file === undefined || secretsInFile.length === 0 || (file.mode & openToOthers) === 0) return [];
  const mode = (file.mode & 0o777).toString(8).padStart(4, "0");
  const fault = {
    where: file.path,
    message: `holds ${secretsInFile.join(" and ")}, and its mode ${mode} lets others read or change it: chmod 600 ${file.path}`,
  };
  const isInForce = secretsInFile.some((path) => origins.get(path)?.startsWith(`${file.path}: `));
  if (profile !== "production" || !isInForce) return [fault];
  mistakes.push(fault);
  return [];
}

function checkSealKey({ values, mistakes, acceptsWeakKey = false }: Checked): void {
  const where = "secrets.sealKey";
  const key = values.get(where);
  if (typeof key !== "string") return;
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) {
    mistakes.push({ where, message: "is not the base64 of 32 bytes (openssl rand -base64 32)" });
  } else if (!acceptsWeakKey && isWeakKey(Buffer.from(key, "base64"))) {
    mistakes.push({
      where,
      message:
        "is no random key: its bytes repeat, count up, or are text. Make one by `openssl rand -base64 32`; where secrets are " +
        "sealed with this one already, `ledger-server rotate-seal-key --new-key-file <file>` takes it once more",
    });
  }
}

/** With this variable Node takes anyone's certificate, whatever the other settings say. */
function checkCertificates({ env, profile, mistakes }: Checked): void {
  const where = "NODE_TLS_REJECT_UNAUTHORIZED";
  if (profile !== "production" || env[where] !== "0") return;
  mistakes.push({
    where,
    message:
      "0 takes any certificate, so anyone on the way reads and changes what the database, the mail server and receivers get: " +
      "unset it. NODE_EXTRA_CA_CERTS=<file> makes an authority of your own known",
  });
}

/** 32 random bytes have fewer than 16 different ones, or are all printable, with a chance below 1 to 10^13. */
function isWeakKey(key: Uint8Array): boolean {
  const steps = new Set(key.map((byte, at) => byte - (key[at - 1] ?? 0)).slice(1));
  return new Set(key).size < 16 || steps.size < 8 || key.every((byte) => byte >= 0x20 && byte < 0x7f);
}

/** Whether a database server on another machine is spoken to over verified TLS. */
function checkDatabase({ values, env, mistakes }: Checked): void {
  if (values.get("database.tls") !== "required") return;
  const message = unverifiedServer(String(values.get("database.url") ?? ""), env["PGHOST"]);
  if (message !== undefined) mistakes.push({ where: "database.url", message });
}

/**
 * Says which server of a PostgreSQL URL is on another machine and would be spoken to without verified TLS. Undefined: none.
 * `defaultHost` is the host of a URL that names none.
 */
export function unverifiedServer(url: string, defaultHost = "localhost"): string | undefined {
  const [, authority = "", query = ""] = /^postgres(?:ql)?:\/\/([^/?#]*)[^?#]*\??([^#]*)/i.exec(url) ?? [];
  if (!/^postgres(?:ql)?:/i.test(url)) return undefined;
  const parameters = new URLSearchParams(query);
  const modes = parameters.getAll("sslmode");
  if (modes.length > 0 && modes.every((mode) => mode === "verify-full")) return undefined;
  const written = authority
    .slice(authority.lastIndexOf("@") + 1)
    .split(",")
    .map(hostOf);
  // The driver takes a `host` of the query instead of the one before the path.
  const named = [...written, ...parameters.getAll("host")].filter((host) => host !== "");
  const remote = (named.length > 0 ? named : [defaultHost]).find(
    (host) => !host.startsWith("/") && !isLoopback(host),
  );
  if (remote === undefined) return undefined;
  return (
    `the server ${remote} is on another machine and would be spoken to without verified TLS: add sslmode=verify-full ` +
    "(and sslrootcert=<file>) to its URL, or set database.tls to optional where the network between is yours alone"
  );
}

/** The host of `host:port`, `[::1]:port` or an encoded path of a socket. */
function hostOf(text: string): string {
  const host = text.replace(/:[0-9]*$/, "").replace(/^\[(.*)\]$/, "$1");
  try {
    return decodeURIComponent(host).toLowerCase();
  } catch {
    return host;
  }
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

function checkNames({ settings, values, mistakes }: Checked): void {
  for (const { path } of settings.filter((setting) => setting.path.endsWith(".names")))
    for (const name of listOf(values, path))
      if (name !== "*" && !/^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/i.test(name))
        mistakes.push({ where: path, message: `${name} is no host name, without scheme, port and path` });
  for (const { path } of settings.filter((setting) => setting.path.endsWith(".origin"))) {
    const value = values.get(path);
    if (value !== undefined && URL.parse(String(value))?.origin !== value)
      mistakes.push({ where: path, message: `${String(value)} is no origin such as https://api.example` });
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
