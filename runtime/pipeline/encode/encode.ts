import {
  omitUndefined,
  type ErrorDescriptor,
  type InterfaceDescriptor,
  type JsonObject,
  type MethodDescriptor,
  type RpcError,
} from "../../contract/index.ts";
import { PipelineFault } from "../fault.ts";
import { documentedName } from "../validate/index.ts";
import { printResult } from "./print-result.ts";

/** The JSON text of a handler's result: what an idempotent repetition gets back. */
export function encodeResult(method: MethodDescriptor, result: object): string {
  return printResult(result, method.result);
}

/** The response body around a result (section 1; flat operations have none around it). */
export function encodeSuccess(
  { transport }: MethodDescriptor,
  id: string | null,
  resultText: string,
): string {
  if (transport.kind === "flat") return resultText;
  const error = transport.nullError === true ? ',"error":null' : "";
  const jsonrpc = transport.jsonrpc ? ',"jsonrpc":"2.0"' : "";
  return `{"id":${JSON.stringify(id)},"result":${resultText}${error}${jsonrpc}}`;
}

/** The response body of an error (D-01). `requestId` where the log says more under it. */
export function encodeError(
  error: RpcError,
  descriptor: ErrorDescriptor,
  id: string | null,
  requestId?: string,
): string {
  const { field, reason, data = {} } = error.detail;
  const { fieldName, rpcCode } = error instanceof PipelineFault ? error : {};
  const name = fieldName ?? documentedName(field ?? "") ?? "payload";
  const detail: JsonObject = {
    ...omitUndefined({ field, reason }),
    ...data,
    ...omitUndefined({ requestId }),
    rpcCode: rpcCode ?? descriptor.rpcCode,
  };
  const message = descriptor.message.replaceAll("{field}", () => name);
  const code = descriptor.wireCode ?? error.code;
  return JSON.stringify({ id, error: { code, message, data: detail }, jsonrpc: "2.0" });
}

/** How an interface describes a code: as the method gives it, or else in general. */
export function describeError(
  { errors }: InterfaceDescriptor,
  method: MethodDescriptor | undefined,
  code: string,
): ErrorDescriptor | undefined {
  return method?.errors[code] ?? errors[code];
}
