import { constants, createHash, createHmac, sign, type KeyObject } from "node:crypto";
import type { SentRequest } from "./requests.ts";

/** How the test signs, in its own words of RFC 9421, section 3.3. */
const signers: Readonly<Record<string, (base: string, key: KeyObject) => Buffer>> = {
  "hmac-sha256": (base, key) => createHmac("sha256", key).update(base).digest(),
  "ecdsa-p256-sha256": (base, key) => sign("sha256", Buffer.from(base), { key, dsaEncoding: "ieee-p1363" }),
  "ecdsa-p384-sha384": (base, key) => sign("sha384", Buffer.from(base), { key, dsaEncoding: "ieee-p1363" }),
  ed25519: (base, key) => sign(null, Buffer.from(base), key),
  "rsa-pss-sha512": (base, key) =>
    sign("sha512", Buffer.from(base), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }),
  "rsa-v1_5-sha256": (base, key) => sign("sha256", Buffer.from(base), key),
};

export interface SigningOptions {
  readonly keyId: string;
  readonly key: KeyObject;
  readonly algorithm: string;
  readonly created: number;
  /** Further parameters as they are written: `;nonce="1"`. */
  readonly parameters?: string;
  readonly covers?: readonly string[];
}

/** The headers of a signed message. */
export function signedHeaders(
  { body, httpMethod, target, headers }: SentRequest,
  options: SigningOptions,
): Readonly<Record<string, string>> {
  const { keyId, key, algorithm, created, parameters = "", covers = defaultCovers } = options;
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const [path = "", query = ""] = target.split("?");
  const values: Readonly<Record<string, string>> = {
    "@method": httpMethod,
    "@path": path,
    "@query": `?${query}`,
    "@authority": headers.find(([name]) => name === "host")?.[1] ?? "",
    "@target-uri": `https://api.example${target}`,
    "content-digest": digest,
    "content-type": "application/json",
  };
  const input = `(${covers.map((name) => `"${name}"`).join(" ")});created=${created};keyid="${keyId}"${parameters}`;
  const base = [...covers.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${input}`].join(
    "\n",
  );
  const signature = signers[algorithm]?.(base, key).toString("base64") ?? "";
  return { "signature-input": `sig1=${input}`, signature: `sig1=:${signature}:`, "content-digest": digest };
}

const defaultCovers = ["@method", "@path", "content-digest"];
