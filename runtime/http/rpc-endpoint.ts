import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyBytesMax, type WireAnswer, type WireRequest } from "../pipeline/index.ts";
import { isJson } from "./content-type.ts";
import type { HttpOptions } from "./options.ts";
import { readBody } from "./read-body.ts";
import { requestIdOf } from "./request-id.ts";
import { sendAnswer } from "./send-answer.ts";
import type { Traffic } from "./traffic.ts";

/** Serves `POST` on the interface's path. Never rejects. */
export type RpcEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createRpcEndpoint(options: HttpOptions, traffic: Traffic): RpcEndpoint {
  const { pipeline, logger, metrics, newRequestId = randomUUID } = options;

  async function answerOf(request: IncomingMessage, requestId: string): Promise<WireAnswer | undefined> {
    if (traffic.closing) return pipeline.refuse("unavailable", 503, "shutting-down");
    const { headers } = request;
    const body = await readBody(request, bodyBytesMax);
    if (body === "aborted") return undefined;
    if (body === "too-large") return pipeline.refuse("badInput", 413, "body-too-large");
    const encoding = headers["content-encoding"] ?? "identity";
    if (encoding.toLowerCase() !== "identity") return pipeline.refuse("badInput", 415, "content-encoding");
    if (!isJson(headers["content-type"])) return pipeline.refuse("badInput", 415, "content-type");
    return pipeline.answer(wireRequest(request, body, requestId));
  }

  function record(requestId: string, answer: WireAnswer, startedAtMs: number): void {
    const elapsedMs = performance.now() - startedAtMs;
    const { trace, status } = answer;
    metrics.answered({ interfaceName: pipeline.name, seconds: elapsedMs / 1000, ...trace });
    logger.info({ requestId, ...trace, status, ms: Math.round(elapsedMs * 100) / 100 }, "answered");
  }

  return async (request, response) => {
    const startedAtMs = performance.now();
    const requestId = requestIdOf(headerOf(request, "x-request-id"), newRequestId);
    traffic.inFlight += 1;
    try {
      const answer = await answerOf(request, requestId);
      if (answer === undefined) logger.info({ requestId }, "caller went away");
      else {
        sendAnswer(response, answer, {
          requestId,
          revision: answer.revision ?? pipeline.revision,
          closing: traffic.closing || answer.status === 413,
        });
        record(requestId, answer, startedAtMs);
      }
    } catch (error) {
      logger.error({ requestId, err: error }, "a call could not be answered");
      response.destroy();
    } finally {
      traffic.inFlight -= 1;
      if (traffic.inFlight === 0) traffic.onIdle?.();
    }
  };
}

function wireRequest(request: IncomingMessage, body: Buffer, requestId: string): WireRequest {
  return {
    body,
    requestId,
    httpMethod: request.method ?? "",
    target: request.url ?? "",
    header: (name) => headerOf(request, name),
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
