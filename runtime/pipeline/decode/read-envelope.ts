import type { InterfaceDescriptor, JsonObject, JsonValue } from "../../contract/index.ts";
import { invalidRequestCode, type PipelineFault } from "../fault.ts";
import type { EnvelopedRequest } from "../../ports/index.ts";
import { idCharactersMax } from "./limits.ts";
import { isObject, memberNames, pickMembers } from "./members.ts";
import type { DecodeOptions, Decoding } from "./options.ts";

const envelopeNames = memberNames("id", "jsonrpc", "method", "params");
const paramsNames = memberNames("api", "payload");

type ReadEnvelope = (
  root: JsonObject,
  payloadBytes: Buffer | undefined,
  decoding: Decoding,
) => EnvelopedRequest;

/** Reads the request envelope of section 1, by the rules of D-09. */
export function readEnvelope({ interfaceDescriptor, fault, rejectUnknown }: DecodeOptions): ReadEnvelope {
  const apiNames = memberNames(...Object.keys(interfaceDescriptor.missingAuth));
  const isRequestId = requestIdCheck(interfaceDescriptor);
  const invalid = (fieldName: string, reason = `invalid-${fieldName}`): PipelineFault =>
    fault("badInput", { fieldName, reason, rpcCode: invalidRequestCode });

  function pick<Name extends string>(object: JsonObject, names: ReadonlyMap<string, Name>) {
    const { values, doubled, unknown } = pickMembers(object, names);
    if (doubled !== undefined) throw invalid(doubled, "two-spellings");
    if (unknown !== undefined && rejectUnknown) throw invalid(unknown, "unknown-field");
    return values;
  }

  return (root, payloadBytes, decoding) => {
    const sent = root["id"];
    if (isRequestId(sent, root["method"])) decoding.id = sent;
    const { id, jsonrpc, method, params } = pick(root, envelopeNames);
    if (!isRequestId(id, method)) throw invalid("id");
    decoding.id = id;
    if (jsonrpc !== undefined && jsonrpc !== "2.0") throw invalid("jsonrpc");
    if (typeof method !== "string" || method === "") throw invalid("method");
    if (!isObject(params)) throw invalid("params");
    const { api, payload } = pick(params, paramsNames);
    if (!isObject(api)) throw invalid("api");
    if (!isObject(payload) || payloadBytes === undefined) throw invalid("payload");
    return {
      kind: "enveloped",
      id,
      methodName: method,
      api: pick(api, apiNames),
      payload,
      payloadBytes,
    };
  };
}

/** Whether a value is an id of a request; a method may have a rule of its own for them. */
function requestIdCheck({ requestId, methods }: Pick<InterfaceDescriptor, "requestId" | "methods">) {
  const usual = requestId === undefined ? undefined : new RegExp(requestId, "u");
  const own = new Map<JsonValue | undefined, RegExp>();
  for (const { name, transport } of Object.values(methods))
    if (transport.kind === "enveloped" && transport.requestId !== undefined)
      own.set(name, new RegExp(transport.requestId, "u"));
  return (value: JsonValue | undefined, method: JsonValue | undefined): value is string => {
    if (typeof value !== "string" || value === "") return false;
    if (value.length > idCharactersMax && Array.from(value).length > idCharactersMax) return false;
    return (own.get(method) ?? usual)?.test(value) ?? true;
  };
}
