import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyBytesMax, type RawResponse, type RawRequest } from "../pipeline/index.ts";
import type { Connection } from "./connection.ts";
import { isJson } from "./content-type.ts";
import type { HttpOptions } from "./options.ts";
import type { Overload } from "./overload.ts";
import { readBody } from "./read-body.ts";
import { requestIdOf } from "./request-id.ts";
import { sendAnswer } from "./send-response.ts";
import { isLastAnswer, type RequestTracker } from "./request-tracker.ts";

/** Serves `POST` on the interface's path. Never rejects; tells the gate when it is done. */
export type RpcEndpoint = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => Promise<void>;

export function createRpcEndpoint(
  options: HttpOptions,
  tracker: RequestTracker,
  overload: Overload,
): RpcEndpoint {
  const { pipeline, logger, metrics, newRequestId = randomUUID } = options;
  const { gate, work } = tracker;

  async function answerOf(
    request: IncomingMessage,
    requestId: string,
    { pipelined }: Connection,
  ): Promise<RawResponse | undefined> {
    const { headers } = request;
    const body = await readBody(request, bodyBytesMax, work);
    if (body === "aborted") return undefined;
    if (body === "too-large") return pipeline.refuse("badInput", 413, "body-too-large");
    if (body === "no-room") return overload.refuse("bodies");
    const encoding = headers["content-encoding"] ?? "identity";
    if (encoding.toLowerCase() !== "identity") return pipeline.refuse("badInput", 415, "content-encoding");
    if (!isJson(headers["content-type"])) return pipeline.refuse("badInput", 415, "content-type");
    const admission = work.enter(pipelined);
    if (admission !== "permitted" && (await admission) === "overloaded") return overload.refuse("overloaded");
    try {
      return await pipeline.answer(rawRequest(request, body, requestId));
    } finally {
      work.leave(pipelined);
    }
  }

  function record(requestId: string, answer: RawResponse, startedAtMs: number): void {
    const elapsedMs = performance.now() - startedAtMs;
    const { trace, status } = answer;
    metrics.answered({ interfaceName: pipeline.name, seconds: elapsedMs / 1000, ...trace });
    if (overload.isRefusal(answer)) return;
    logger.info({ requestId, ...trace, status, ms: Math.round(elapsedMs * 100) / 100 }, "answered");
  }

  return async (request, response, connection) => {
    const startedAtMs = performance.now();
    const requestId = requestIdOf(headerOf(request, "x-request-id"), newRequestId);
    try {
      const answer = await answerOf(request, requestId, connection);
      if (answer === undefined) logger.info({ requestId }, "caller went away");
      else {
        const closing = answer.status === 413 || (tracker.closing && (await isLastAnswer(connection)));
        sendAnswer(response, answer, { requestId, revision: answer.revision ?? pipeline.revision, closing });
        record(requestId, answer, startedAtMs);
      }
    } catch (error) {
      logger.error({ requestId, err: error }, "a call could not be answered");
      response.destroy();
    } finally {
      gate.done(connection);
    }
  };
}

function rawRequest(request: IncomingMessage, body: Buffer, requestId: string): RawRequest {
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
