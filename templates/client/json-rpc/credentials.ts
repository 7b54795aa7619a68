import { basicText } from "../bytes.ts";
import type { Provided } from "../exchange.ts";
import type { HeaderTexts } from "../observe.ts";
import type { OutgoingRequest, Scheme } from "./authorizer.ts";

export interface BasicCredential {
  /** Without a colon. */
  readonly userName: string;
  readonly password: string;
}

/** A token, without `Bearer`; or a function that gives the current one, asked before every attempt. */
export type TokenCredential = Provided<string>;

/** A key, or a function that gives the current one, asked before every attempt. */
export type KeyCredential = Provided<string>;

/** The proxy passes on the certificate of the connection: nothing to send. */
export type CertificateCredential = true;

/** A scheme of the project's own: gives the headers to send. */
export type OwnCredential = (request: OutgoingRequest) => HeaderTexts | Promise<HeaderTexts>;

/** RFC 7617, in UTF-8. */
export const basic: Scheme<Provided<BasicCredential>> = {
  header: "authorization",
  async headersFor(credential) {
    const { userName, password } = await provided(credential);
    if (userName.includes(":")) throw new TypeError("userName: no colon");
    return { authorization: basicText(userName, password) };
  },
};

/** RFC 6750; JSON Web Tokens too. */
export const bearer: Scheme<TokenCredential> = {
  header: "authorization",
  async headersFor(credential) {
    return { authorization: `Bearer ${await provided(credential)}` };
  },
};

export function apiKey(header: string): Scheme<KeyCredential> {
  const name = header.toLowerCase();
  return { header: name, headersFor: async (credential) => ({ [name]: await provided(credential) }) };
}

export const clientCertificate: Scheme<CertificateCredential> = {
  header: "",
  headersFor: () => ({}),
};

export function ownScheme(header: string): Scheme<OwnCredential> {
  return { header, signs: true, headersFor: (credential, request) => credential(request) };
}

async function provided<T extends object | string>(given: Provided<T>): Promise<T> {
  return typeof given === "function" ? await given() : given;
}
