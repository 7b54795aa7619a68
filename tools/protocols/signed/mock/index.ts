import type { IncomingMessage } from "node:http";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import type { Access } from "../../../../conformance/request/access.ts";
import { errorsOfMethod } from "../../../../generator/model/resolve.ts";
import type { ErrorModel, MethodModel, ServiceModel } from "../../../../generator/model/service-model.ts";
import { answerOf } from "../../../mock/answers.ts";
import { mockHeaders } from "../../../mock/faults.ts";
import type { MockHandler, ServedMock } from "../../port.ts";
import { authenticator, type Authenticate } from "./authenticate.ts";
import { readCall, readPayload, type SentCall } from "./read-call.ts";
import { errorResponse, faultCode, type ErrorResponse } from "./error-response.ts";

/** The answer to one request. */
interface EnvelopeAnswer {
  readonly status: number;
  readonly json: object;
  /** For the log: the method, and `result` or the code of the error. */
  readonly method: string;
  readonly outcome: string;
}

/** Serves an interface of the signed envelope; without `access` to every caller. */
export function envelopeMock(access: Access | undefined, served: ServedMock): MockHandler {
  const { model, onCall } = served;
  const authenticate: Authenticate = access === undefined ? () => undefined : authenticator(model, access);
  return async (request, response) => {
    const { status, json, method, outcome } = await answerRequest(request, served, authenticate);
    onCall(method, outcome);
    const allow = status === 405 ? { Allow: "POST" } : {};
    response
      .writeHead(status, {
        "Content-Type": "application/json",
        "X-Interface-Revision": model.revision,
        ...allow,
      })
      .end(JSON.stringify(json));
  };
}

/** Transport, JSON, envelope, method, caller, payload, existence: the first that is wrong is answered (D-05). */
async function answerRequest(
  request: IncomingMessage,
  served: ServedMock,
  authenticate: Authenticate,
): Promise<EnvelopeAnswer> {
  const { model } = served;
  const [pathname] = (request.url ?? "").split("?");
  const at = model.methods.find(({ path }) => path === pathname)?.path;
  if (pathname !== model.path && at === undefined)
    return errorAnswer(model, errorResponse(faultCode(model, "badInput"), { status: 404, reason: "path" }));
  const body = await readBody(request);
  if (!Buffer.isBuffer(body)) return errorAnswer(model, errorResponse(faultCode(model, "badInput"), body));
  const call = readCall(body, at, model);
  if (call.kind === "refused") return errorAnswer(model, call);
  const stranger = authenticate(call, request.headers);
  if (stranger !== undefined) return errorAnswer(model, stranger, call);
  const read = readPayload(call, model);
  if (read.kind === "refused") return errorAnswer(model, read, call);
  const asked = request.headers[mockHeaders.error];
  const wanted = typeof asked === "string" ? asked : served.errors.get(call.method.name);
  const answer =
    wanted === undefined
      ? answerOf({ method: call.method, params: read.payload, sampleKey: call.id ?? "" }, served)
      : { kind: "error" as const, name: wanted };
  if (answer.kind === "error") return errorAnswer(model, errorResponse(answer.name), call);
  served.onResult(call.method, answer.value);
  return {
    status: 200,
    json: call.id === undefined ? Object(answer.value) : resultEnvelope(call, call.id, answer.value),
    method: call.method.name,
    outcome: "result",
  };
}

function resultEnvelope({ method: { transport } }: SentCall, id: string, result: unknown): object {
  if (transport.kind !== "enveloped") return { id, result };
  const error = transport.nullError === true ? { error: null } : {};
  return { id, result, ...error, ...(transport.jsonrpc && { jsonrpc: "2.0" }) };
}

/** The body of an error (D-01), with the method's own text where it has one. */
function errorAnswer(model: ServiceModel, response: ErrorResponse, call?: SentCall): EnvelopeAnswer {
  const { code, field, reason, fieldName, status = 200 } = response;
  const declared = textOf(model, code, call?.method);
  const name = fieldName ?? lastName(field) ?? "payload";
  const data = omitUndefined({ field, reason, rpcCode: response.rpcCode ?? declared.rpcCode });
  const error = {
    code: declared.wireCode ?? code,
    message: declared.message.replaceAll("{field}", () => name),
    data,
  };
  return {
    status,
    json: { id: call?.id ?? response.id ?? null, error, jsonrpc: "2.0" },
    method: call?.method.name ?? "(no method)",
    outcome: code,
  };
}

function textOf(
  model: ServiceModel,
  code: string,
  method: MethodModel | undefined,
): Pick<ErrorModel, "message" | "rpcCode" | "wireCode"> {
  const own =
    method === undefined ? undefined : errorsOfMethod(model, method).find((each) => each.code === code);
  if (own !== undefined) return { ...own.declared, message: own.message };
  return model.errors.find((each) => each.code === code) ?? { message: code, rpcCode: -32_603 };
}

/** The last part of a JSON Pointer that is a name. */
function lastName(pointer: string | undefined): string | undefined {
  return pointer?.split("/").findLast((part) => part !== "" && !/^\d+$/.test(part));
}

/** Most bytes of a request body (D-10). */
const bodyBytesMax = 256 * 1024;
const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** A body; or the HTTP status of what cannot be taken, and why. */
type Body = Buffer | { readonly status: number; readonly reason: string };

/** Reads the body of a call. Never rejects: a connection that ends too early gives what was sent. */
async function readBody(request: IncomingMessage): Promise<Body> {
  if (request.method !== "POST") return { status: 405, reason: "http-method" };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes <= bodyBytesMax) chunks.push(part);
    }
  } catch {
    // The caller is gone: the answer is not read.
  }
  if (bytes > bodyBytesMax) return { status: 413, reason: "body-too-large" };
  if (!json.test(request.headers["content-type"] ?? "")) return { status: 415, reason: "content-type" };
  if ((request.headers["content-encoding"] ?? "identity") !== "identity")
    return { status: 415, reason: "content-encoding" };
  return Buffer.concat(chunks);
}
