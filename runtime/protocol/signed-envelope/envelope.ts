import type { JsonObject, JsonValue, MethodDescriptor } from "../../contract/index.ts";

/** A decoded request: its shape is sound, nothing is believed yet. */
export type Envelope = EnvelopedRequest | FlatRequest;

export interface EnvelopedRequest {
  readonly kind: "enveloped";
  readonly id: string;
  /** As sent: may be no operation at all. */
  readonly methodName: string;
  readonly api: ApiMembers;
  readonly payload: JsonObject;
  /** The bytes that are signed (D-15). */
  readonly payloadBytes: Buffer;
}

/** A flat body (4.15, 4.16): authenticated by headers, over the raw body (D-22). */
export interface FlatRequest {
  readonly kind: "flat";
  readonly method: MethodDescriptor;
  readonly payload: JsonObject;
  readonly payloadBytes: Buffer;
}

/** The members of `params.api` that are present, of whatever type. */
export type ApiMembers = Readonly<Partial<Record<string, JsonValue>>>;
