import type { SignedInterfaceDescriptor } from "../../contract/index.ts";
import { createDecode } from "./decode.ts";
import { readPayload } from "./payload.ts";

/** A payload as handlers take it, or what is wrong with it. */
export type PayloadRead =
  | { readonly kind: "valid"; readonly payload: object }
  | { readonly kind: "refused"; readonly field?: string | undefined; readonly reason?: string | undefined };

/**
 * Reads the JSON text of an operation's payload as a call with it would be read: the same limits, names and checks. Unknown
 * fields are refused: whoever approves what is written there should not read what is not done.
 */
export function payloadReader(
  interfaceDescriptor: SignedInterfaceDescriptor,
): (operation: string, text: string) => PayloadRead {
  const decode = createDecode({ interfaceDescriptor, rejectUnknown: true });
  return (operation, text) => {
    const method = interfaceDescriptor.methods[operation];
    if (method === undefined || !isJson(text)) return { kind: "refused", reason: "syntax" };
    const envelope = decode(enveloped(operation, text));
    const read = envelope.kind === "refused" ? envelope.refused : readPayload(method, envelope, true);
    if (read.kind === "valid") return read;
    const { field, reason } = read;
    return { kind: "refused", field, reason };
  };
}

/** The text is one JSON value: it cannot end the envelope before its time. */
function enveloped(operation: string, text: string): Buffer {
  const method = JSON.stringify(operation);
  return Buffer.from(`{"method":${method},"id":"1","params":{"api":{},"payload":${text}}}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
