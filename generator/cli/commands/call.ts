import type { Access } from "../../../conformance/request/access.ts";
import type { ServiceModel } from "../../model/index.ts";
import { credentialsOf, type Environment } from "../call/credentials.ts";
import { endpointOf, type Endpoint, type EndpointOptions } from "../call/endpoint.ts";
import { exchange, requestText, type Outcome } from "../call/exchange.ts";
import { callAccess, signedRequest, type SignedRequest } from "../call/signed-request.ts";
import { exitCode } from "../exit-code.ts";
import { reportFailure } from "../report-failure.ts";
import type { Terminal } from "../terminal.ts";

export interface CallOptions extends EndpointOptions {
  readonly notify?: true;
  readonly timeout: number;
}

/** `ledger-rpc call`: sends one call to a running service and prints its result. An error of the service is exit code 1. */
export async function call(
  method: string,
  params: string | undefined,
  options: CallOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  const usage = (message: string): number =>
    reportFailure({ message, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  if (params !== undefined && !areParams(params))
    return usage(`the params are no JSON array or object: ${params}\nQuote them for the shell: '["a", 1]'`);
  const endpoint = endpointOf(method, options, environment["PORT"]);
  if ("message" in endpoint) return reportFailure({ ...endpoint, exitCode: exitCode.usage }, terminal, false);
  const access = accessOf(endpoint, options.access);
  if (typeof access === "string") return usage(access);
  const { apiKeyHeader, meant, path } = endpoint;
  const url = options.url ?? addressOf(access, path) ?? endpoint.url;
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    return usage(`${url} is no address of a service, such as http://127.0.0.1:3000/rpc`);
  const credentials = credentialsOf(environment, apiKeyHeader);
  if (typeof credentials === "string") return usage(credentials);
  if (credentials.from.length > 0 && isReadable(url))
    terminal.note(`warning: ${credentials.from.join(", ")} is sent over HTTP without TLS`);
  const isNotification = options.notify === true;
  const sent = requestOf({ url, model: endpoint.model, method, params, isNotification }, access);
  if (typeof sent === "string") return usage(sent);
  const { model } = endpoint;
  const transport = model?.methods.find(({ name }) => name === method)?.transport;
  const outcome = await exchange({
    ...sent,
    headers: { ...sent.headers, ...credentials.headers },
    timeoutSeconds: options.timeout,
    isNotification,
    isFlat: transport?.kind === "flat",
  });
  return show(outcome, meant, terminal);
}

/** Who calls, where a file says so; a text says what is wrong with the file. */
function accessOf({ model }: Endpoint, file: string | undefined): Access | undefined | string {
  if (file === undefined || model === undefined) return undefined;
  try {
    return callAccess(model, file);
  } catch (error) {
    return messageOf(error);
  }
}

/** The address that an access file names, of a service that is called over HTTP. */
function addressOf(access: Access | undefined, path: string | undefined): string | undefined {
  const { baseUrl = "" } = access ?? {};
  return path !== undefined && /^https?:/.test(baseUrl) ? `${baseUrl.replace(/\/$/, "")}${path}` : undefined;
}

interface AskedCall {
  readonly url: string;
  readonly model: ServiceModel | undefined;
  readonly method: string;
  readonly params: string | undefined;
  readonly isNotification: boolean;
}

/** The request, signed where it is known who calls; a text says why there is none. */
function requestOf(
  { url, model, method, params, isNotification }: AskedCall,
  access: Access | undefined,
): (SignedRequest & { readonly url: string }) | string {
  if (access === undefined || model === undefined)
    return { url, headers: {}, body: requestText(method, params, isNotification ? undefined : 1) };
  try {
    return { url, ...signedRequest({ model, method, params, isNotification, url }, access) };
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function show(outcome: Outcome, meant: string | undefined, terminal: Terminal): number {
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
      const { code, message, data } = outcome;
      terminal.note(`error ${code}: ${message}${data === undefined ? "" : `\n${data}`}`);
      if (code === "-32601" && meant !== undefined) terminal.note(`hint: did you mean ${meant}?`);
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
  return protocol === "http:" && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
