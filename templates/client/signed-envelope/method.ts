import type { Envelope } from "./response.ts";

/** A method as data: how its request is made. */
export interface Method {
  /** Its documented name. */
  readonly name: string;
  readonly transport: Transport;
  /** Names of fields whose values hooks do not see. */
  readonly sensitive?: readonly string[] | undefined;
}

/** How a payload travels. */
export interface Transport {
  /** Whether a request is identified by its signature, because it has no id. */
  readonly signsOnce?: true;
  /** Where it is not at the path of the interface. */
  readonly path?: string;
  request(caller: Caller, call: SignedCall): SignedRequest;
  /** Whether it answers the request with this id, and not another one: by a result or by an error, never by both. */
  answers(envelope: Envelope, id: string): boolean;
  /** The result of an answer without an error. */
  result(envelope: Envelope): unknown;
}

/** The identity that requests carry; a function, so that no log prints its secrets. */
export interface Caller {
  /** The members that tell the service who is calling. */
  readonly access: () => { readonly credential: string; readonly apiKey: string; readonly keyId: string };
}

export interface SignedCall {
  readonly method: string;
  readonly id: string;
  /** The payload's text, which is what is signed. */
  readonly text: string;
  readonly signature: string;
}

export interface SignedRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export type AuthMember = "credential" | "keyId" | "signature" | "apiKey";

/** In an envelope, with these members of `params.api`. */
export function enveloped(...auth: AuthMember[]): Transport {
  return {
    request(caller, { method, id, text, signature }) {
      const known = { ...caller.access(), signature };
      // A list of members for `JSON.stringify` would take twice as long.
      const api: { [Member in AuthMember]?: string } = {};
      for (const member of auth) api[member] = known[member];
      const head = JSON.stringify({ method, id, params: { api } });
      return { body: `${head.slice(0, -2)},"payload":${text}}}` };
    },
    // A service that could not read the request's id says null (D-03), and what stands before it says none.
    answers: ({ result, id, error }, own) => (error ? !result && (id ?? own) : id) === own,
    result: ({ result }) => result,
  };
}

/** As it is, signed by headers. */
export const flat: Transport = {
  signsOnce: true,
  request(caller, { text, signature }) {
    const { credential, keyId } = caller.access();
    const claim = `keyId=${keyId},algorithm=ecdsa-sha256,signature=${signature}`;
    return { body: text, headers: { authorization: credential, signature: claim } };
  },
  answers: () => true,
  result: (envelope) => envelope,
};
