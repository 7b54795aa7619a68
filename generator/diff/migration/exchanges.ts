import { omitUndefined } from "../../../conformance/omit-undefined.ts";
import { standardParams } from "../../print/standard-params.ts";
import { errorsOfMethod, type ErrorModel, type MethodModel, type ServiceModel } from "../../model/index.ts";

/** The placeholder of a value that is secret, or that differs in each call. */
const blank = "…";

/** A request as it goes over the wire. */
export function requestText(method: MethodModel, payload: unknown): string {
  const { transport, name } = method;
  if (transport.kind === "flat") return json(payload);
  if (transport.kind === "json-rpc")
    return json({ jsonrpc: "2.0", id: 1, method: name, params: standardParams(method, payload) });
  const api = Object.fromEntries(transport.auth.map((member) => [member, blank]));
  return json({ method: name, id: "1", params: { api, payload } });
}

/** A success as it comes back. */
export function answerText({ transport }: MethodModel, result: unknown): string {
  if (transport.kind === "flat") return json(result);
  if (transport.kind === "json-rpc") return json({ jsonrpc: "2.0", id: 1, result });
  return json(omitUndefined({ id: "1", result, jsonrpc: transport.jsonrpc ? "2.0" : undefined }));
}

/** A failure as it comes back, with the text that the method gives. */
export function failureText(model: ServiceModel, error: ErrorModel, method?: MethodModel): string {
  const own =
    method === undefined ? undefined : errorsOfMethod(model, method).find(({ code }) => code === error.code);
  const message = own?.message ?? error.message;
  if (model.wire.protocol === "json-rpc-2.0")
    return json({ jsonrpc: "2.0", id: 1, error: { code: error.rpcCode, message } });
  return json({
    id: "1",
    error: { code: error.wireCode ?? error.code, message, data: { rpcCode: error.rpcCode } },
    jsonrpc: "2.0",
  });
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
