import { randomInt } from "node:crypto";
import type { JsonRpcEntry } from "../suite/json-rpc.ts";
import type { MethodEntry, RequestIdEntry } from "../suite/suite.ts";
import type { Identity } from "./access.ts";
import type { Credentials } from "./credential.ts";
import type { MessageSigner } from "./message-signature.ts";
import type { Lookup } from "./resolve-value.ts";

/** A request as it goes over the wire. */
export interface WireRequest {
  /** The operation that it calls, or the probe for the endpoint as a whole. */
  readonly method?: MethodEntry;
  readonly httpMethod: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The request id that it carries, where it carries a sound one. */
  readonly id?: string;
  /** The payload that it carries, where it carries one. */
  readonly payload?: unknown;
  /** The bytes that were signed, and those that had to be. */
  readonly signed?: { readonly over: Buffer; readonly payloadBytes: Buffer };
  readonly signature?: string;
  /** For a signed envelope. */
  readonly messageSigner?: MessageSigner;
  /** Names of headers that prove who calls: their values are in no report. */
  readonly secretHeaders?: readonly string[];
}

export interface BuildOptions {
  readonly path: string;
  readonly identity: Identity;
  readonly lookup: Lookup;
  readonly id: string;
  /** For requests of the endpoint as a whole. */
  readonly method: MethodEntry;
  /** Sent along: a service of several revisions would else answer in its oldest (D-46). */
  readonly revision: string;
  /** In place of one that is made. */
  readonly signature?: string;
  /** For a standard interface. */
  readonly rpc?: JsonRpcBuild;
}

/** Further needs of requests of a standard interface. */
export interface JsonRpcBuild {
  readonly protocol: JsonRpcEntry;
  readonly credentials: Credentials;
  methodOf(name: string): MethodEntry | undefined;
  /** Path of the service's address, which signatures cover. */
  readonly pathPrefix: string;
  /** Credentials are those of a handshake, not of each message. */
  readonly isByHandshake?: true;
}

/** Draws an id that fits the pattern of an interface, of the greatest length, so that none comes twice. */
export function drawId({ parts }: RequestIdEntry): string {
  return parts
    .flatMap(({ characters, most }) =>
      Array.from({ length: most }, () => characters[randomInt(characters.length)]),
    )
    .join("");
}
