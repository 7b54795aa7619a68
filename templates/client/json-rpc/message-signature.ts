import { base64, type Signer, textSigner } from "../signing.ts";
import type { OutgoingRequest, Scheme } from "./credentials.ts";

/**
 * A P-256 key, or a function that signs bytes by any key that the service takes. An ECDSA signature is its two numbers one
 * after the other (P1363), as WebCrypto and RFC 9421 have it.
 */
export type MessageSignatureCredential = Signer;

/** HTTP message signatures (RFC 9421), with a digest of the body (RFC 9530). */
export function messageSignature(
  covers: readonly string[],
  tag?: string,
): Scheme<MessageSignatureCredential> {
  return {
    header: "signature",
    signs: true,
    async headersFor(credential, request) {
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", request.body));
      const contentDigest = `sha-256=:${base64(digest)}:`;
      const headers = { ...request.headers, "content-digest": contentDigest };
      const lines = covers.map((name) => `"${name}": ${component(name, { ...request, headers })}\n`);
      const list = covers.map((name) => JSON.stringify(name)).join(" ");
      const created = Math.floor(Date.now() / 1000);
      const tagged = tag === undefined ? "" : `;tag=${quoted(tag)}`;
      const parameters = `(${list});created=${created};keyid=${quoted(credential.keyId)};nonce="${crypto.randomUUID()}"${tagged}`;
      const sign = signerOf(credential);
      const signature = await sign(`${lines.join("")}"@signature-params": ${parameters}`);
      return {
        "content-digest": contentDigest,
        "signature-input": `sig=${parameters}`,
        signature: `sig=:${signature}:`,
      };
    },
  };
}

/** Keys are imported once. */
const signers = new WeakMap<object, ReturnType<typeof textSigner>>();

function signerOf(credential: Signer): ReturnType<typeof textSigner> {
  const sign = signers.get(credential) ?? textSigner(credential, true);
  signers.set(credential, sign);
  return sign;
}

/** The value of a component (RFC 9421, section 2). */
function component(name: string, { httpMethod, url, headers }: OutgoingRequest): string {
  switch (name) {
    case "@method":
      return httpMethod;
    case "@path":
      return url.pathname;
    case "@query":
      return url.search || "?";
    case "@target-uri":
      return url.href;
    case "@authority":
      return url.host;
    default:
      return headers[name] ?? "";
  }
}

/** A text of a structured field (RFC 8941, section 3.3.3). */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
