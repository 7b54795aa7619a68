import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { messageSignatures, OperatorClient } from "../../../generated/operator/client/index.ts";
import { loadConfig } from "../../../runtime/operations/config/index.ts";
import { application } from "../../application.ts";
import { unreadable, UsageError } from "../../../runtime/operations/cli/index.ts";
import { isObject } from "./request-text.ts";

/** Who calls the operator interface, and where it is. */
export interface OperatorAccess {
  /** Addresses of the interface, by commas: the first one that is ready is called. */
  readonly url: string;
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKeyPem: string;
}

export interface AccessOptions {
  /** A file that holds the access: YAML or JSON. */
  readonly access?: string;
  readonly url?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const variables = {
  url: "OPERATOR_URL",
  userName: "OPERATOR_USER_NAME",
  apiKey: "OPERATOR_API_KEY",
  keyId: "OPERATOR_KEY_ID",
  privateKeyFile: "OPERATOR_PRIVATE_KEY_FILE",
} as const;

/** Shown below the help of every operator command. */
export const accessHelp = `
Who calls: ${Object.values(variables).slice(0, 3).join(", ")},
${Object.values(variables).slice(3).join(", ")}, or --access <file>
(OPERATOR_ACCESS_FILE): YAML or JSON with url, userName, apiKey, keyId and
privateKeyFile. In a sandbox access.json of the data folder is taken. No secret
is ever an argument, because others can read a process's arguments. Where url
names several processes, by commas, the first one that is ready is called.`;

/** The client of the operator interface. Throws a `UsageError` that names what is missing. */
export async function operatorClient(
  options: AccessOptions,
  environment: Environment,
): Promise<OperatorClient> {
  const { url, userName, apiKey, keyId, privateKeyPem } = operatorAccess(options, environment);
  return new OperatorClient({
    baseUrl: await readyUrl(url),
    credential: { userName, apiKey },
    signer: { keyId, privateKey: privateKeyPem },
    messageSignatures,
  });
}

/** How long a process may take to say that it is ready, where there is another one to ask. */
const readyMs = 2_000;

/** The first address whose process is ready; the last one where none is, so that the call says what is wrong with it. */
async function readyUrl(text: string): Promise<string> {
  const urls = text.split(",").flatMap((url) => (url.trim() === "" ? [] : [url.trim()]));
  for (const url of urls.slice(0, -1)) if (await isReady(url)) return url;
  return urls.at(-1) ?? text;
}

async function isReady(url: string): Promise<boolean> {
  if (!URL.canParse(url)) throw new UsageError(`${url} is no address of the operator interface.`);
  try {
    const answer = await fetch(new URL("/readyz", url), { signal: AbortSignal.timeout(readyMs) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Options go before the environment, the environment before files. */
export function operatorAccess(options: AccessOptions, environment: Environment): OperatorAccess {
  const file = options.access ?? environment["OPERATOR_ACCESS_FILE"] ?? sandboxFile(environment);
  const kept = file === undefined ? {} : readAccessFile(file);
  const value = (name: keyof typeof variables, given?: string): string | undefined =>
    given ?? environment[variables[name]] ?? kept[name];
  const keyFile = privateKeyFile(value("privateKeyFile"), environment, file);
  const found = {
    url: value("url", options.url),
    userName: value("userName"),
    apiKey: value("apiKey"),
    keyId: value("keyId"),
    privateKeyPem: keyFile === undefined ? kept["privateKeyPem"] : readText(keyFile),
  };
  const { url, userName, apiKey, keyId, privateKeyPem } = found;
  if (!url || !userName || !apiKey || !keyId || !privateKeyPem) {
    const missing = Object.entries(found).filter(([, text]) => !text);
    const names = missing.map(([name]) => (name === "privateKeyPem" ? "privateKeyFile" : name));
    throw new UsageError(
      `The access to the operator interface lacks ${names.join(", ")}${file === undefined ? "" : ` (${file})`}.\n${accessHelp.trim()}`,
    );
  }
  return { url, userName, apiKey, keyId, privateKeyPem };
}

/** A relative path in an access file begins at that file's folder, wherever the command is run. */
function privateKeyFile(
  path: string | undefined,
  environment: Environment,
  file: string | undefined,
): string | undefined {
  if (path === undefined || file === undefined || environment[variables.privateKeyFile] !== undefined)
    return path;
  return resolve(dirname(file), path);
}

function sandboxFile(environment: Environment): string | undefined {
  const file = join(loadConfig(application, environment).dataDir, "access.json");
  return existsSync(file) ? file : undefined;
}

/** The demo's access.json has the operator beside the demo user. */
function readAccessFile(file: string): Readonly<Record<string, string>> {
  // An API key may look like a number: every value is a text.
  const content: unknown = parse(readText(file), { schema: "failsafe" });
  const top = textsOf(content);
  const operator = isObject(content) && "operator" in content ? textsOf(content.operator) : top;
  return { ...operator, ...omitUndefined({ url: top["operatorUrl"] }) };
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === "string"));
}

/** @throws UsageError that says why the file cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} ${unreadable(error)}.`);
  }
}
