import { type Signer, textSigner } from "./signing.ts";
import { base64, type Bytes } from "./bytes.ts";

/** The parts of a request that a message signature may cover. */
export interface MessageParts {
  /** `POST`; `GET` for the handshake of a WebSocket. */
  readonly httpMethod: string;
  readonly url: URL;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
}

/**
 * The headers of a message signature (RFC 9421) that covers these components, with a digest of the body (RFC 9530).
 * `parameters` follow those that it always has, `created`, `keyid` and a new `nonce`: `;tag="…"`, say.
 */
export async function messageSignatureHeaders(
  signer: Signer,
  request: MessageParts,
  covers: readonly string[],
  parameters: (created: number) => string,
): Promise<Readonly<Record<string, string>>> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", request.body));
  const contentDigest = `sha-256=:${base64(digest)}:`;
  const headers = { ...request.headers, "content-digest": contentDigest };
  const lines = covers.map((name) => `"${name}": ${component(name, { ...request, headers })}\n`);
  const list = covers.map((name) => JSON.stringify(name)).join(" ");
  const created = Math.floor(Date.now() / 1000);
  const input = `(${list});created=${created};keyid=${quoted(signer.keyId)};nonce="${crypto.randomUUID()}"${parameters(created)}`;
  const signature = await signing(signer)(`${lines.join("")}"@signature-params": ${input}`);
  return {
    "content-digest": contentDigest,
    "signature-input": `sig=${input}`,
    signature: `sig=:${signature}:`,
  };
}

/** Keys are imported once. */
const signings = new WeakMap<object, ReturnType<typeof textSigner>>();

/** An ECDSA signature is its two numbers one after the other (P1363), as WebCrypto and RFC 9421 have it. */
function signing(signer: Signer): ReturnType<typeof textSigner> {
  const sign = signings.get(signer) ?? textSigner(signer, true);
  signings.set(signer, sign);
  return sign;
}

/** The value of a component (RFC 9421, section 2). */
function component(name: string, { httpMethod, url, headers }: MessageParts): string {
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

/** A text of a structured field (RFC 9651, section 3.3.3). */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
