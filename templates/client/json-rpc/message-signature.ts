import type { Scheme } from "./authorizer.ts";
import { messageSignatureHeaders, quoted } from "../signed-message.ts";
import type { Signer } from "../signing.ts";

/** A P-256 key, or a function that signs bytes by any key that the service takes. */
export type MessageSignatureCredential = Signer;

/** HTTP message signatures (RFC 9421), with a digest of the body (RFC 9530). */
export function messageSignature(
  covers: readonly string[],
  tag?: string,
): Scheme<MessageSignatureCredential> {
  const parameters = () => (tag === undefined ? "" : `;tag=${quoted(tag)}`);
  return {
    header: "signature",
    signs: true,
    headersFor: (credential, request) => messageSignatureHeaders(credential, request, covers, parameters),
  };
}
