import type { Fetch } from "../exchange.ts";
import { noKey } from "./no-key.ts";
import { messageSignatureHeaders, quoted } from "../signed-message.ts";
import { type Signer } from "../signing.ts";
import { encoder } from "../bytes.ts";

/** How long a signature is valid: services keep its nonce as long. */
const validSeconds = 60;

/**
 * Signs each HTTP message, too (RFC 9421), for a service that requires it against replay: give it to a client as
 * `messageSignatures`. A signature covers method, path and body, is valid for a minute by the clock of this machine, and is
 * accepted once. A flat body has no request id: in its place `Idempotency-Key` is the same for all attempts of a call.
 */
export function messageSignatures(signer: Signer, send?: Fetch): Fetch {
  // A caller without a key has nothing to sign with, and calls what asks for no signature.
  if (signer === noKey) return send ?? fetch;
  return async (url, init) => {
    const { signature, ...headers } = Object.fromEntries(new Headers(init.headers));
    const known = signature && { "idempotency-key": quoted(signature) };
    const covered = { ...headers, ...known };
    const signed = await messageSignatureHeaders(
      signer,
      {
        httpMethod: "POST",
        url: new URL(url),
        headers: covered,
        body: encoder.encode(String(init.body)),
      },
      ["@method", "@path", "content-digest", ...Object.keys(known || {})],
      (created) => `;expires=${created + validSeconds};alg="ecdsa-p256-sha256"`,
    );
    return (send ?? fetch)(url, { ...init, headers: { ...covered, ...signed } });
  };
}
