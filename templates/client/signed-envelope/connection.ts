import type { CommonCallOptions, CommonOptions, Exchanging, Framing, IdempotencyKey } from "../exchange.ts";
import type { Answer } from "./answer.ts";
import type { Method } from "./method.ts";
import { type Caller, type Identity, prover } from "./proof.ts";

/** Address, credential, signer and time limits of a connection. */
export interface ConnectOptions
  extends CommonOptions, Identity, Omit<Exchanging<Method, Framing<Method, Answer>, Answer>, "fetch"> {
  /** `https://bank.example`: the interface's path is appended. Without user name, password and query. */
  readonly baseUrl: string;
}

/** Options of one call. */
export interface CallOptions extends CommonCallOptions {
  /**
   * Identifies the request to the service; a random one if absent. A call that makes something new takes effect once
   * under it.
   */
  readonly id?: IdempotencyKey;
}

/** The settings that all calls of a client share. The secrets are in closures, so that no log prints them. */
export interface Connection extends Omit<ConnectOptions, "credential" | "signer">, Caller {}

/**
 * Prepares calls. Sends nothing yet. Throws a `TypeError` where something is missing; `guarded` finds whatever else
 * cannot work.
 */
export function connect({ baseUrl, credential, signer, ...rest }: ConnectOptions): Connection {
  // A function has no members: it is asked later.
  for (const [name, value] of Object.entries({ baseUrl, keyId: signer?.keyId, credential, ...credential })) {
    if (!value) throw new TypeError(`${name} is missing`);
  }
  return { ...rest, baseUrl: baseUrl.replace(/\/*$/, ""), prove: prover(credential, signer) };
}
