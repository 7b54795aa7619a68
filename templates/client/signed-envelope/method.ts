import type { Written } from "../exchange.ts";
import type { NamedMethod } from "../observe.ts";
import type { AuthMember, Proof } from "./proof.ts";

/** The answer of a service: a result or an error. */
export interface Envelope {
  readonly id?: string | null;
  readonly result?: unknown;
  readonly error?: EnvelopeError;
  readonly jsonrpc?: string;
  readonly [name: string]: unknown;
}

/** The `error` of an envelope. */
export interface EnvelopeError {
  readonly code: string;
  readonly message: string;
  readonly data?: {
    readonly field?: string;
    readonly reason?: string;
    readonly requestId?: string;
    readonly [name: string]: unknown;
  };
}

/** A method as data: how its request is made. */
export interface Method extends NamedMethod {
  readonly transport: Transport;
}

/** How a payload travels. */
export interface Transport {
  /** Whether a request is identified by its signature, because it has no id. */
  readonly signsOnce?: true;
  /** Where it is not at the path of the interface. */
  readonly path?: string;
  frame(proof: Proof, text: string, method: string, id: string): Written;
  /** Whether it answers the request with this id, and not another one: by a result or by an error, never by both. */
  answers(envelope: Envelope, id: string): boolean;
  /** The result of an answer without an error. */
  result(envelope: Envelope): unknown;
}

/** In an envelope, with these members of `params.api`. */
export function enveloped(...auth: AuthMember[]): Transport {
  return {
    frame(proof, text, method, id) {
      // A list of members for `JSON.stringify` would take twice as long.
      const api: { [Member in AuthMember]?: string } = {};
      for (const member of auth) api[member] = proof[member];
      const head = JSON.stringify({ method, id, params: { api } });
      return { body: `${head.slice(0, -2)},"payload":${text}}}` };
    },
    // A service that could not read the request's id says null, and what stands before it says none.
    answers: ({ result, id, error }, own) => (error ? !result && (id ?? own) : id) === own,
    result: ({ result }) => result,
  };
}

/** As it is, signed by headers. */
export const flat: Transport = {
  signsOnce: true,
  frame({ credential, keyId, signature }, text) {
    const claim = `keyId=${keyId},algorithm=ecdsa-sha256,signature=${signature}`;
    return { body: text, headers: { authorization: credential, signature: claim } };
  },
  answers: () => true,
  result: (envelope) => envelope,
};
