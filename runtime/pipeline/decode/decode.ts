import type { JsonObject, JsonValue } from "../../contract/index.ts";
import { invalidRequestCode, parseErrorCode } from "../fault.ts";
import type { Envelope } from "../../ports/index.ts";
import { readEnvelope } from "./read-envelope.ts";
import { controlFault } from "./control-fault.ts";
import { flatMethodsOf, selectedMethod, unselectedFault } from "./flat-body.ts";
import { foldName, isObject } from "./members.ts";
import type { DecodeOptions, Decoding } from "./options.ts";
import { scanBody } from "./scan.ts";

/**
 * bytes → Envelope: JSON hygiene (D-10), then flat or enveloped by shape (D-22), then the envelope (D-09). `methodPath` is
 * the path of the request where it is one of methods alone.
 */
export type Decode = (body: Buffer, decoding: Decoding, methodPath?: string) => Envelope;

export function createDecode(options: DecodeOptions): Decode {
  const { interfaceDescriptor, fault } = options;
  const flatByPath = Map.groupBy(flatMethodsOf(interfaceDescriptor), ({ method }) => method.path);
  const envelopeOf = readEnvelope(options);

  return function decode(body, decoding, methodPath) {
    const flatMethods = flatByPath.get(methodPath) ?? [];
    const scanned = scanBody(body);
    if (!scanned.ok) {
      const { violation: reason, atByte } = scanned;
      throw fault("badInput", { fieldName: "body", reason, rpcCode: parseErrorCode, data: { atByte } });
    }
    const root: JsonValue = JSON.parse(scanned.text);
    if (!isObject(root)) {
      const reason = Array.isArray(root) ? "batch" : "not-an-object";
      throw fault("badInput", { fieldName: "body", reason, rpcCode: invalidRequestCode });
    }
    const refuseControl = (payload: JsonObject): void => {
      if (scanned.controlAt !== undefined) throw fault("badInput", controlFault(payload, scanned.controlAt));
    };
    if (flatMethods.length === 0 || isEnveloped(root)) {
      const envelope = envelopeOf(root, scanned.payloadBytes, decoding);
      refuseControl(envelope.payload);
      return envelope;
    }
    const method = selectedMethod(root, flatMethods);
    if (method === undefined) throw fault("badInput", unselectedFault(root, flatMethods));
    refuseControl(root);
    return { kind: "flat", method, payload: root, payloadBytes: body };
  };
}

const envelopeMarks: ReadonlySet<string> = new Set(["method", "params", "jsonrpc"]);

function isEnveloped(root: JsonObject): boolean {
  return Object.keys(root).some((name) => envelopeMarks.has(name) || envelopeMarks.has(foldName(name)));
}
