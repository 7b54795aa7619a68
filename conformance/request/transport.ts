import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Frame } from "../base/frame.ts";
import type { WireRequest } from "./wire-request.ts";
import { signedMessageHeaders } from "./message-signature.ts";

/** The response as it was received. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly ms: number;
  /** It came as a message alone: it has no status and no headers. */
  readonly isMessage?: true;
}

/** No answer came: the connection failed, or nothing arrived in time. */
export class NoAnswer extends Error {}

/** A connection that was kept open was closed by the service at the same moment: it says nothing about the request. */
class ClosedMeanwhile extends NoAnswer {}

export interface Transport {
  /** @throws NoAnswer */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly connectionsMax: number;
  /** The names of the members of messages, for carriers that keep connections open. Default: those of JSON-RPC 2.0. */
  readonly frame?: Frame;
  /** Whether each message is signed, too. */
  readonly messageSignatures?: boolean;
  /** Receives each exchange. */
  readonly onExchange?: (request: WireRequest, answer: WireAnswer | NoAnswer) => void;
}

const waitsMax = 5;
const bodyBytesMax = 16_000_000;

/** Keeps connections open; waits and sends again where the service says that there were too many requests. */
export function createTransport(options: TransportOptions): Transport {
  const url = new URL(options.baseUrl);
  const agentOptions = { keepAlive: true, maxSockets: options.connectionsMax };
  const agent = url.protocol === "https:" ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);

  const { timeoutMs, messageSignatures = false } = options;
  const server: Server = { url, prefix: url.pathname.replace(/\/$/, ""), timeoutMs, messageSignatures };

  async function send(wire: WireRequest): Promise<WireAnswer> {
    for (let waits = 0; ; waits += 1) {
      const answer = await traced(wire);
      if (answer.status !== 429 || waits === waitsMax) return answer;
      const seconds = Number(answer.headers["retry-after"] ?? 1);
      await new Promise((resolve) => setTimeout(resolve, Math.min(seconds || 1, 10) * 1000));
    }
  }

  async function traced(wire: WireRequest): Promise<WireAnswer> {
    try {
      const answer = await exchange(server, wire, agent).catch((error: unknown) => {
        if (error instanceof ClosedMeanwhile) return exchange(server, wire, false);
        throw error;
      });
      options.onExchange?.(wire, answer);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) options.onExchange?.(wire, error);
      throw error;
    }
  }

  return { send, close: () => agent.destroy() };
}

/** The service, and how long it may take to answer. */
interface Server {
  readonly url: URL;
  /** The path of its address, without a slash at the end. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly messageSignatures: boolean;
}

/** Sends one request, over a connection of the agent or over one of its own. */
function exchange(
  { url, prefix, timeoutMs, messageSignatures }: Server,
  wire: WireRequest,
  agent: HttpAgent | false,
): Promise<WireAnswer> {
  const startedAt = performance.now();
  const target = prefix + wire.path;
  const headers =
    messageSignatures && wire.messageSigner !== undefined
      ? signedMessageHeaders({ ...wire, target }, wire.messageSigner)
      : wire.headers;
  let timer: NodeJS.Timeout | undefined;
  const answered = new Promise<WireAnswer>((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const outgoing = send({
      agent,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      method: wire.httpMethod,
      path: target,
      headers: { ...headers, "content-length": wire.body.length },
    });
    const fail = (error: Error): void => reject(new NoAnswer(noAnswerText(error), { cause: error }));
    timer = setTimeout(() => {
      outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
    outgoing.on("error", (error) => {
      const isClosed = "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
      if (isClosed && outgoing.reusedSocket) reject(new ClosedMeanwhile(error.message, { cause: error }));
      else fail(error);
    });
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= bodyBytesMax) chunks.push(chunk);
        else outgoing.destroy(new Error(`an answer of more than ${bodyBytesMax} bytes`));
      });
      incoming.on("error", fail);
      incoming.on("end", () => {
        const { statusCode: status = 0, headers } = incoming;
        try {
          const body = decodedBody(Buffer.concat(chunks), headers["content-encoding"], bodyBytesMax);
          resolve({ status, headers, body, ms: performance.now() - startedAt });
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    outgoing.end(wire.body);
  });
  return answered.finally(() => clearTimeout(timer));
}

/** Why there was no answer, and what can be done about it where that is known. */
function noAnswerText(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  const what = /^(?:EPROTO|ERR_SSL)/.test(code) ? code : error.message || code;
  const advice =
    advices.find(([pattern]) => pattern.test(code))?.[1] ??
    (/socket hang up/.test(what)
      ? "it closes the connection: is the address right, http or https"
      : undefined);
  return advice === undefined ? what : `${what} (${advice})`;
}

const advices: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, "nothing listens there: is the service running"],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "there is no such host"],
  [/^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/, "there is no way to that host"],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    "its certificate comes from an unknown authority: name the authority's file in NODE_EXTRA_CA_CERTS",
  ],
  [/^CERT_HAS_EXPIRED$/, "its certificate has expired"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "its certificate is for another host"],
  [/^(?:EPROTO|ERR_SSL_\w+)$/, "it does not speak TLS there: is it http"],
  [/^HPE_\w+$/, "what answers there does not speak HTTP"],
];

type Decode = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const decoders: ReadonlyMap<string, Decode> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

/**
 * A body without its content encodings (RFC 9110, section 8.4.1). A request without `accept-encoding` takes any, so a
 * proxy may encode what a service sends. Unknown encodings leave the body as it is.
 *
 * @throws Error where the body is not in the encoding that it names, or is longer than `bytesMax` without it
 */
function decodedBody(body: Buffer, contentEncoding: string | undefined, bytesMax: number): Buffer {
  const names = (contentEncoding ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.toReversed().reduce((encoded, name) => {
    const decode = decoders.get(name);
    return decode === undefined || encoded.length === 0
      ? encoded
      : decode(encoded, { maxOutputLength: bytesMax });
  }, body);
}
