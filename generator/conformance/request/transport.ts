import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { WireRequest } from "./build.ts";

/** What came back. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly ms: number;
}

/** No answer came: the connection failed, or nothing arrived in time. */
export class NoAnswer extends Error {
  readonly refused: boolean;

  constructor(message: string, refused: boolean) {
    super(message);
    this.refused = refused;
  }
}

export interface Transport {
  /** @throws NoAnswer */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly connectionsMax: number;
  /** Told of each exchange. */
  readonly onExchange?: (request: WireRequest, answer: WireAnswer | NoAnswer) => void;
}

const waitsMax = 5;

/** Keeps connections open; waits and sends again where the service says that there were too many requests. */
export function createTransport(options: TransportOptions): Transport {
  const url = new URL(options.baseUrl);
  const secure = url.protocol === "https:";
  const agentOptions = { keepAlive: true, maxSockets: options.connectionsMax };
  const agent = secure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const prefix = url.pathname.replace(/\/$/, "");

  function once(wire: WireRequest): Promise<WireAnswer> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const send = secure ? httpsRequest : httpRequest;
      const outgoing = send({
        agent,
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port,
        method: wire.httpMethod,
        path: prefix + wire.path,
        headers: { ...wire.headers, "content-length": wire.body.length },
        timeout: options.timeoutMs,
      });
      outgoing.on("timeout", () => {
        outgoing.destroy(new Error(`no answer within ${options.timeoutMs} ms`));
      });
      outgoing.on("error", (error) => {
        const code = "code" in error ? String(error.code) : "";
        reject(new NoAnswer(error.message || code, code === "ECONNREFUSED" || code === "ENOTFOUND"));
      });
      outgoing.on("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", (error) => reject(new NoAnswer(error.message, false)));
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks),
            ms: performance.now() - startedAt,
          }),
        );
      });
      outgoing.end(wire.body);
    });
  }

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
      const answer = await once(wire);
      options.onExchange?.(wire, answer);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) options.onExchange?.(wire, error);
      throw error;
    }
  }

  return { send, close: () => agent.destroy() };
}
