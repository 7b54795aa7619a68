import type { InterfaceDescriptor, JsonObject, JsonValue, MethodDescriptor } from "../../contract/index.ts";
import { invalidRequestCode, parseErrorCode } from "../fault.ts";
import type { Envelope } from "../../ports/index.ts";
import { readEnvelope } from "./read-envelope.ts";
import { controlFault } from "./control-fault.ts";
import { foldName, isObject } from "./members.ts";
import type { DecodeOptions, Decoding } from "./options.ts";
import { scanBody } from "./scan.ts";

/** bytes → Envelope: JSON hygiene (D-10), then flat or enveloped by shape (D-22), then the envelope (D-09). */
export type Decode = (body: Buffer, decoding: Decoding) => Envelope;

export function createDecode(options: DecodeOptions): Decode {
  const { interfaceDescriptor, fault } = options;
  const flatMethods = flatMethodsOf(interfaceDescriptor);
  const envelopeOf = readEnvelope(options);

  return (body, decoding) => {
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
    const method = flatMethods.find(({ selectedBy }) => hasAny(root, selectedBy))?.method;
    if (method === undefined) {
      throw fault("badInput", { fieldName: "body", reason: "unknown-shape", rpcCode: invalidRequestCode });
    }
    refuseControl(root);
    return { kind: "flat", method, payload: root, payloadBytes: body };
  };
}

interface FlatMethod {
  readonly method: MethodDescriptor;
  readonly selectedBy: ReadonlySet<string>;
}

/** In document order, so that a body with the fields of two operations is the first (D-22). */
function flatMethodsOf({ methods }: InterfaceDescriptor): readonly FlatMethod[] {
  return Object.values(methods).flatMap((method) =>
    method.transport.kind === "flat"
      ? [{ method, selectedBy: new Set(method.transport.selectedBy.map(foldName)) }]
      : [],
  );
}

const envelopeMarks: ReadonlySet<string> = new Set(["method", "params", "jsonrpc"]);

function isEnveloped(root: JsonObject): boolean {
  return hasAny(root, envelopeMarks);
}

function hasAny(object: JsonObject, foldedNames: ReadonlySet<string>): boolean {
  return Object.keys(object).some((name) => foldedNames.has(name) || foldedNames.has(foldName(name)));
}
