import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { messageOf } from "../../conformance/base/message-of.ts";
import type { Access } from "../../conformance/request/access.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { credentialsOf } from "./credentials.ts";
import { endpointOf, type Endpoint, type EndpointOptions } from "./endpoint.ts";
import {
  exchange,
  requestText,
  type Exchange,
  type Outcome,
  commandExchange,
  socketExchange,
} from "./exchange.ts";
import { protocolOf } from "../../generator/protocols/index.ts";
import { toolsOf, type SignedRequest } from "../protocols/index.ts";
import { unknownMembers } from "./unknown-members.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import { reached, type Terminal } from "../../generator/cli/terminal.ts";

export interface CallOptions extends EndpointOptions {
  readonly notify?: true;
  /** Whether members that the spec does not know are sent. */
  readonly allowUnknown?: true;
  /** In place of an address: what answers on its standard output. */
  readonly command?: string;
  readonly timeout: number;
}

/** `ledger-rpc call`: sends one call to a running service and prints its result. An error of the service is exit code 1. */
export async function call(
  method: string,
  params: string | undefined,
  options: CallOptions,
  terminal: Terminal,
): Promise<number> {
  const usage = (message: string): number =>
    reportFailure({ message, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  if (params !== undefined && !areParams(params))
    return usage(`the params are no JSON array or object: ${params}\nQuote them for the shell: '["a", 1]'`);
  if (options.command !== undefined) {
    const mistake = commandMistake(options);
    return mistake === undefined
      ? show(await byCommand(method, params, options.command, options, terminal), new Map(), terminal)
      : usage(mistake);
  }
  const endpoint = endpointOf(method, options, terminal);
  if ("message" in endpoint) return reportFailure({ ...endpoint, exitCode: exitCode.usage }, terminal, false);
  if (endpoint.unread !== undefined)
    terminal.note(`warning: ${endpoint.unread}, so method and params are not checked (ledger-rpc check)`);
  const access = accessOf(endpoint, options.access, terminal);
  if (typeof access === "string") return usage(access);
  const { apiKeyHeader, path } = endpoint;
  const url = options.url ?? addressOf(access, path) ?? endpoint.url;
  const mistake = addressMistake(url, endpoint) ?? unknownMistake(method, params, options, endpoint);
  if (mistake !== undefined) return usage(mistake);
  const credentials = credentialsOf(terminal.env, apiKeyHeader);
  if (typeof credentials === "string") return usage(credentials);
  if (credentials.from.length > 0 && isReadable(url))
    terminal.note(`warning: ${credentials.from.join(", ")} is sent without TLS`);
  const isNotification = options.notify === true;
  const sent = requestOf({ url, model: endpoint.model, method, params, isNotification }, access);
  if (typeof sent === "string") return usage(sent);
  const transport = endpoint.model?.methods.find(({ name }) => name === method)?.transport;
  const asked: Exchange = {
    ...sent,
    headers: { ...sent.headers, ...credentials.headers },
    timeoutSeconds: options.timeout,
    isNotification,
    isFlat: transport?.kind === "flat",
    ...omitUndefined({ frame: endpoint.model?.wire.frame }),
  };
  const isAnonymous = access === undefined && credentials.from.length === 0;
  const outcome = await (isSocket(url) ? socketExchange(asked) : exchange(asked));
  return show(outcome, hintsOf(endpoint, isAnonymous), terminal);
}

/** Advice on an error of the service, by its code. */
function hintsOf({ meant, model }: Endpoint, isAnonymous: boolean): ReadonlyMap<string, string> {
  const hints = new Map<string, string>();
  if (meant !== undefined) hints.set("-32601", `did you mean ${meant}?`);
  const unauthenticated = isAnonymous && model !== undefined && toolsOf(model).unauthenticated?.(model);
  if (unauthenticated)
    hints.set(
      unauthenticated,
      "nothing said who calls: give --access <file>, or set LEDGER_RPC_TOKEN or another variable of `ledger-rpc call --help`",
    );
  return hints;
}

/** An option that makes no sense beside a command; pipes carry messages alone. */
function commandMistake({ url, access }: CallOptions): string | undefined {
  if (url !== undefined) return "--url and --command are both given: a service is reached by one of them";
  return access === undefined ? undefined : "--access is for addresses: pipes carry no credentials";
}

async function byCommand(
  method: string,
  params: string | undefined,
  command: string,
  options: CallOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { notify, timeout } = options;
  const endpoint = endpointOf(method, options, terminal);
  const frame = "message" in endpoint ? undefined : endpoint.model?.wire.frame;
  const isNotification = notify === true;
  // A message is one line; texts have no line break of their own.
  const body = requestText(method, params?.replaceAll(/[\r\n]/g, " "), isNotification ? undefined : 1, frame);
  const asked = { headers: {}, body, timeoutSeconds: timeout, isNotification, ...omitUndefined({ frame }) };
  return await commandExchange(command, terminal.cwd, asked);
}

function addressMistake(url: string, { model }: Endpoint): string | undefined {
  if (!/^(?:https?|wss?):\/\/[^/]/.test(url) || !URL.canParse(url))
    return `${url} is no address of a service, such as http://127.0.0.1:3000/rpc or ws://127.0.0.1:3000/rpc`;
  if (isSocket(url) && model !== undefined && !protocolOf(model).transports(model).includes("websocket"))
    return `${model.name} has no transport \`websocket\`: it is reached over HTTP, not at ${url}`;
  return undefined;
}

/** Members that a service would pass over, or refuse: most are misspelt. */
function unknownMistake(
  name: string,
  params: string | undefined,
  { allowUnknown }: CallOptions,
  { model }: Endpoint,
): string | undefined {
  const method = model?.methods.find((each) => each.name === name);
  if (allowUnknown === true || params === undefined || model === undefined || method === undefined)
    return undefined;
  const unknown = unknownMembers(model, method, JSON.parse(params));
  if (unknown.length === 0) return undefined;
  return [...unknown, "Nothing was sent: --allow-unknown sends it all the same"].join("\n");
}

function isSocket(url: string): boolean {
  return url.startsWith("ws");
}

/** The caller, if a file names one; a text describes what is wrong with the file. */
function accessOf(
  { model }: Endpoint,
  file: string | undefined,
  terminal: Terminal,
): Access | undefined | string {
  if (file === undefined || model === undefined) return undefined;
  try {
    return toolsOf(model).readAccess(model, reached(terminal, file));
  } catch (error) {
    return messageOf(error);
  }
}

/** The address that an access file names, of a service that is called over HTTP or WebSocket. */
function addressOf(access: Access | undefined, path: string | undefined): string | undefined {
  const { baseUrl = "" } = access ?? {};
  return path !== undefined && /^(?:https?|wss?):/.test(baseUrl)
    ? `${baseUrl.replace(/\/$/, "")}${path}`
    : undefined;
}

interface AskedCall {
  readonly url: string;
  readonly model: ServiceModel | undefined;
  readonly method: string;
  readonly params: string | undefined;
  readonly isNotification: boolean;
}

/** The request, signed if the caller is known; a text says why there is no request. */
function requestOf(
  { url, model, method, params, isNotification }: AskedCall,
  access: Access | undefined,
): (SignedRequest & { readonly url: string }) | string {
  if (access === undefined || model === undefined)
    return {
      url,
      headers: {},
      body: requestText(method, params, isNotification ? undefined : 1, model?.wire.frame),
    };
  try {
    return { url, ...toolsOf(model).request({ model, method, params, isNotification, url }, access) };
  } catch (error) {
    return messageOf(error);
  }
}

function show(outcome: Outcome, hints: ReadonlyMap<string, string>, terminal: Terminal): number {
  switch (outcome.kind) {
    case "result":
      terminal.print(outcome.text);
      return exitCode.ok;
    case "taken":
      return exitCode.ok;
    case "failed":
      terminal.note(`error: ${outcome.reason}`);
      return exitCode.failed;
    case "error": {
      const { code, message, data, retryAfter } = outcome;
      terminal.note(`error ${code}: ${message}${data === undefined ? "" : `\n${data}`}`);
      if (retryAfter !== undefined) terminal.note(`try again after: ${retryAfter}`);
      const hint = hints.get(code);
      if (hint !== undefined) terminal.note(`hint: ${hint}`);
      return exitCode.failed;
    }
  }
}

function areParams(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** Whether others on the way could read what is sent. */
function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    (protocol === "http:" || protocol === "ws:") && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  );
}
