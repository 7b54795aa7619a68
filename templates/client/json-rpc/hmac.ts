import type { Bytes } from "../bytes.ts";
import type { Scheme } from "./authorizer.ts";

/** A secret that the service knows too, or a function that computes HMAC-SHA256 with one kept elsewhere. */
export type HmacCredential = { readonly keyId: string } & (
  | { readonly secret: string | Bytes }
  | { readonly mac: (bytes: Bytes) => Promise<Uint8Array> }
);

/** The parts that a signature covers, in the order in which they are signed. */
const parts = ["timestamp", "nonce", "method", "path", "body"];

/** HMAC-SHA256 in a header: `t=<unix seconds>,k=<key id>,n=<nonce>,v1=<hexadecimal>`. */
export function hmac(name: string, covers: readonly string[]): Scheme<HmacCredential> {
  const header = name.toLowerCase();
  return {
    header,
    signs: true,
    async headersFor(credential, { httpMethod, url, body }) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const nonce = crypto.randomUUID();
      const values = new Map([
        ["timestamp", timestamp],
        ["nonce", nonce],
        ["method", httpMethod],
        ["path", url.pathname + url.search],
      ]);
      const lines = parts
        .filter((part) => covers.includes(part) && values.has(part))
        .map((part) => `${values.get(part)}\n`);
      const start = new TextEncoder().encode(lines.join(""));
      const bytes = new Uint8Array(start.length + body.length);
      bytes.set(start);
      bytes.set(body, start.length);
      const mac = [...(await macOf(credential, bytes))].map((byte) => byte.toString(16).padStart(2, "0"));
      const once = covers.includes("nonce") ? `n=${nonce},` : "";
      return { [header]: `t=${timestamp},k=${credential.keyId},${once}v1=${mac.join("")}` };
    },
  };
}

async function macOf(credential: HmacCredential, bytes: Bytes): Promise<Uint8Array> {
  if ("mac" in credential) return credential.mac(bytes);
  const { secret } = credential;
  const raw = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
}
