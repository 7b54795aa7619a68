import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { omitUndefined } from "../base/omit-undefined.ts";
import type { Access } from "../request/access.ts";
import type { JsonRpcBuild, WireRequest } from "../request/wire-request.ts";
import type { Level } from "../suite/level.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import { carrierOf, type MessageCarrier } from "../request/carrier.ts";
import { createMessageTransport } from "../request/message-transport.ts";
import { publishedKeys } from "../request/schemes/issuer-keys.ts";
import { createTransport, type NoAnswer, type WireAnswer } from "../request/transport.ts";
import type { ServiceSettings } from "../response/finding.ts";
import { createEnvironment } from "../scenario/environment.ts";
import { createReceiver, type Receiver } from "../scenario/receiver.ts";
import { type Capabilities, claimsOf } from "../session/capabilities.ts";
import { createContext } from "../session/context.ts";
import type { Case } from "../suite/case.ts";
import type { JsonRpcEntry } from "../suite/json-rpc.ts";

export interface RunOptions {
  readonly suite: Suite;
  readonly cases: readonly Case[];
  readonly access: Access;
  /** Where the service is, without the path of the interface. */
  readonly baseUrl: string;
  /** Default `decisions`. */
  readonly level?: Level;
  /** Only cases whose operation or id begins with one of these. */
  readonly only?: readonly string[];
  readonly seed?: number;
  /** Requests at once. Default 16. */
  readonly concurrency?: number;
  /** Default 10,000. */
  readonly timeoutMs?: number;
  /** How long an event or a mail may take; the document states no time. Default 5,000. */
  readonly eventTimeoutMs?: number;
  readonly settings?: Partial<ServiceSettings>;
  /** The folder into which the service writes mails. */
  readonly mailFolder?: string;
  /** Where the service can reach the suite's own receiver of events, and the port that it listens on. */
  readonly callback?: { readonly url?: string; readonly port: number };
  /** Where the keys are published with which the suite issues tokens, for `jwt` schemes. Absent: nowhere. */
  readonly issuerPort?: number;
  /** How many random sequences are tried: 10 if absent. `replay`: the one that an earlier run has shown so, alone. */
  readonly explore?: { readonly runs?: number; readonly replay?: string };
  /** Parts that the implementation declares missing. Default: none. */
  readonly capabilities?: Capabilities;
  /** Ends the run after so many failures: what is left is skipped. */
  readonly failuresMax?: number;
  /** Ends the run: what is left is skipped, and what the run made is taken away. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onExchange?: (request: WireRequest, answer: WireAnswer | NoAnswer) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** The operation of the case that was done last. */
  readonly at: string;
}

/** The connections of a run: to the service, and its own receivers. */
export async function openRun(options: RunOptions, level: Level, concurrency: number) {
  const { suite, access, baseUrl, timeoutMs = 10_000, eventTimeoutMs = 5_000 } = options;
  const { wire } = suite;
  const carrier = carrierOf(baseUrl);
  const transport = (carrier === undefined ? createTransport : createMessageTransport)(
    omitUndefined({
      baseUrl,
      timeoutMs,
      connectionsMax: concurrency,
      frame: wire?.frame,
      messageSignatures: access.messageSignatures,
      onExchange: options.onExchange,
    }),
  );
  const claims = claimsOf(options.capabilities ?? { lacks: [] }, suite);
  const receiver = claims.has("events") ? receiverOf(options) : undefined;
  const callbackUrl = await receiver?.open();
  const rpc = rpcOf(suite, access, baseUrl, carrier);
  const issuer =
    wire === undefined || options.issuerPort === undefined
      ? undefined
      : await openIssuer(options.issuerPort, wire);
  const context = createContext(
    omitUndefined({
      suite,
      access,
      baseUrl,
      level,
      transport,
      probe: probeOf(suite),
      claims,
      settings: { httpStatus: "ok", ...options.settings },
      nonce: randomBytes(6).toString("hex"),
      callbackUrl: callbackUrl?.url,
      rpc,
      carrier,
    }),
  );
  const { environment, close } = createEnvironment({
    context,
    access,
    operatorUrl: claims.has("operator") ? access.operatorUrl : undefined,
    receiver,
    mailFolder: claims.has("mail") ? options.mailFolder : undefined,
    timeoutMs,
    eventTimeoutMs,
    connectionsMax: concurrency,
    signal: options.signal,
  });
  return {
    context,
    environment,
    close: async (): Promise<void> => {
      transport.close();
      issuer?.close();
      await close();
    },
  };
}

/** Undefined of the signed envelope. */
function rpcOf(
  { wire, methods }: Suite,
  { credentials = {} }: Access,
  baseUrl: string,
  carrier: MessageCarrier | undefined,
): JsonRpcBuild | undefined {
  if (wire === undefined) return undefined;
  const byName = new Map(methods.map((method) => [method.name, method]));
  return {
    protocol: wire,
    credentials,
    methodOf: (name) => byName.get(name),
    pathPrefix: carrier === "stdio" ? "" : new URL(baseUrl).pathname.replace(/\/$/, ""),
    ...omitUndefined({ isByHandshake: carrier === undefined ? undefined : true }),
  };
}

/** On this machine a receiver needs no address; elsewhere the service has to be given one. */
function receiverOf({ baseUrl, callback }: RunOptions): Receiver | undefined {
  if (callback?.url !== undefined) return createReceiver({ port: callback.port, publicUrl: callback.url });
  const { hostname } = new URL(baseUrl);
  const isHere = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);
  return isHere ? createReceiver({ port: callback?.port ?? 0 }) : undefined;
}

function probeOf({ methods, probe }: Suite): MethodEntry {
  const method = methods.find(({ name }) => name === probe) ?? methods[0];
  if (method === undefined) throw new Error("the suite has no operations");
  return method;
}

/** Publishes the keys with which the suite issues tokens, so that the service under test can accept them. */
interface Issuer {
  /** Where the keys are: the URL that the service fetches as its JWKS. */
  readonly url: string;
  close(): void;
}

/** Algorithms with public keys that the `jwt` schemes of an interface accept. */
function issuedAlgorithms({ schemes }: JsonRpcEntry): readonly string[] {
  const accepted = schemes.filter(({ kind }) => kind === "jwt").map(({ options }) => options["algorithms"]);
  const names = accepted.flatMap((each) => (Array.isArray(each) ? each : []));
  return [...new Set(names)].filter((name) => typeof name === "string" && !name.startsWith("HS"));
}

/** Serves a JWK set on this machine. Port 0 takes a free one. @throws Error where the port is taken */
async function openIssuer(port: number, wire: JsonRpcEntry): Promise<Issuer> {
  const keys = JSON.stringify(publishedKeys(issuedAlgorithms(wire)));
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(keys);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${own}/.well-known/jwks.json`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
