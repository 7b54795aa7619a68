import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { declaredOptions, identified, singleHeader } from "../scheme-parts.ts";
import type { AuthScheme, Evidence, SchemeBinding, SchemeVerifier } from "../port.ts";
import { takeOnce } from "../replays.ts";

export interface HmacOptions<Caller> {
  /** Finds the shared secret of a key and whose it is; nothing for an unknown key. */
  key(keyId: string): HmacKey<Caller> | undefined | Promise<HmacKey<Caller> | undefined>;
}

export interface HmacKey<Caller> {
  /** At least 16 bytes; a text stands for its UTF-8 bytes. */
  readonly secret: string | Uint8Array;
  readonly caller: Caller;
}

/** The parts that a signature can cover, in the order in which they are signed. */
const parts = ["timestamp", "nonce", "method", "path", "body"] as const;
const secretBytesMin = 16;
const windowDefaultSeconds = 300;

/**
 * HMAC-SHA256 with a shared secret. The header is `t=<unix seconds>,k=<key id>,v1=<hexadecimal>`, with `n=<nonce>,`
 * before `v1` where the spec covers `nonce`. The signature covers timestamp, nonce, method and path with query, if
 * declared, in this order, each followed by a line feed, and then the bytes of the body. Each signature is accepted
 * once.
 */
export function hmac<Caller>({ key }: HmacOptions<Caller>): SchemeVerifier<"hmac", Caller> {
  return {
    kind: "hmac",
    bind(declared, binding) {
      const options = declaredOptions(declared, binding);
      const covers = options.someOf("covers", parts);
      for (const part of ["timestamp", "body"]) {
        if (!covers.includes(part)) throw options.fault(`does not cover the ${part}: add it to \`covers\``);
      }
      const header = options.requiredText("header");
      const windowSeconds = options.count("window") ?? windowDefaultSeconds;
      return schemeOf({ header, covers, windowSeconds, findKey: key, fault: options.fault }, binding);
    },
  };
}

interface Parts<Caller> {
  readonly header: string;
  readonly covers: readonly string[];
  readonly windowSeconds: number;
  readonly findKey: HmacOptions<Caller>["key"];
  readonly fault: (problem: string) => Error;
}

function schemeOf<Caller>(
  { header, covers, windowSeconds, findKey, fault }: Parts<Caller>,
  binding: SchemeBinding,
): AuthScheme<Caller> {
  const coversNonce = covers.includes("nonce");
  // An unknown key costs the same work as a known one.
  const noSecret = randomBytes(32);
  return {
    verifies: "request",
    provesOnce: true,
    async verify(evidence) {
      const presented = singleHeader(evidence, header);
      if (presented.kind !== "text") return presented;
      const signature = read(presented.text);
      if (signature === undefined || (signature.nonce !== undefined) !== coversNonce) {
        const form = coversNonce ? "t=…,k=…,n=…,v1=…" : "t=…,k=…,v1=…";
        return { kind: "malformed", reason: `${header} is not written as ${form}` };
      }
      const ageSeconds = binding.clock.now() / 1000 - Number(signature.timestamp);
      if (Math.abs(ageSeconds) > windowSeconds) return { kind: "expired" };
      const found = await findKey(signature.keyId);
      if (found !== undefined && Buffer.byteLength(found.secret) < secretBytesMin) {
        throw fault(`has a secret of less than ${secretBytesMin} bytes: give that key a longer one`);
      }
      const mac = macOf(found?.secret ?? noSecret, signature, evidence, covers);
      if (!timingSafeEqual(mac, signature.mac) || found === undefined) {
        return { kind: "rejected", reason: found === undefined ? "unknown key" : "wrong signature" };
      }
      const notTaken = await takeOnce(binding.replays, {
        owner: `${binding.scheme} ${signature.keyId}`,
        nonce: signature.nonce ?? mac.toString("hex"),
        expiresAtMs: (Number(signature.timestamp) + windowSeconds + 1) * 1000,
      });
      return notTaken ?? identified({ caller: found.caller, scopes: [] });
    },
  };
}

interface HmacSignature {
  readonly timestamp: string;
  readonly keyId: string;
  readonly nonce: string | undefined;
  readonly mac: Buffer;
}

function read(text: string): HmacSignature | undefined {
  const form =
    /^t=(\d{1,12}),k=([\x21-\x2B\x2D-\x7E]{1,128}),(?:n=([\x21-\x2B\x2D-\x7E]{1,128}),)?v1=([0-9a-f]{64})$/;
  const [, timestamp, keyId, nonce, mac] = form.exec(text) ?? [];
  if (timestamp === undefined || keyId === undefined || mac === undefined) return undefined;
  return { timestamp, keyId, nonce, mac: Buffer.from(mac, "hex") };
}

function macOf(
  secret: string | Uint8Array,
  { timestamp, nonce = "" }: HmacSignature,
  { body, httpMethod, target }: Evidence,
  covers: readonly string[],
): Buffer {
  const mac = createHmac("sha256", secret);
  const values: Readonly<Record<string, string>> = { timestamp, nonce, method: httpMethod, path: target };
  for (const part of parts) {
    if (part !== "body" && covers.includes(part)) mac.update(`${values[part]}\n`);
  }
  return mac.update(body).digest();
}
