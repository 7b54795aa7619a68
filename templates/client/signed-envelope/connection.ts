import { basicText } from "../bytes.ts";
import type {
  CommonCallOptions,
  CommonOptions,
  Exchanging,
  Framing,
  IdempotencyKey,
  Provided,
} from "../exchange.ts";
import { type Signer, textSigner } from "../signing.ts";
import type { Answer } from "./answer.ts";
import type { Caller, Method } from "./method.ts";

/** The credential that the service's operator issued. */
export interface Credential {
  readonly userName: string;
  readonly apiKey: string;
}

/** Address, credential, signer and time limits of a connection. */
export interface ConnectOptions
  extends CommonOptions, Omit<Exchanging<Method, Framing<Method, Answer>, Answer>, "fetch"> {
  /** `https://bank.example`: the interface's path is appended. Without user name, password and query. */
  readonly baseUrl: string;
  readonly credential: Provided<Credential>;
  readonly signer: Signer;
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
  const { keyId } = signer ?? {};
  // A function has no members: it is asked later.
  for (const [name, value] of Object.entries({ baseUrl, keyId, credential, ...credential })) {
    if (!value) throw new TypeError(`${name} is missing`);
  }
  const sign = textSigner(signer);
  return {
    ...rest,
    baseUrl: baseUrl.replace(/\/*$/, ""),
    async prove(text) {
      const { userName, apiKey } = await (typeof credential === "function" ? credential() : credential);
      const signature = await sign(text);
      return { credential: basicText(userName, apiKey), apiKey, keyId, signature };
    },
  };
}
