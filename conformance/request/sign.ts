import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import type { Identity } from "./access.ts";
import type { SignaturePlan } from "../suite/case.ts";

/** A key pair, as the suite signs with it and as it is registered. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
}

/** A new P-256 key pair. */
export function newKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privateKey,
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

const privateKeys = new Map<string, KeyObject>();
let strangerKey: KeyObject | undefined;

/** A private key in PEM form, read once. */
export function privateKeyFor(pem: string): KeyObject {
  const known = privateKeys.get(pem) ?? createPrivateKey(pem);
  privateKeys.set(pem, known);
  return known;
}

/** An unregistered key. */
function stranger(): KeyObject {
  strangerKey ??= newKeyPair().privateKey;
  return strangerKey;
}

/** The signature of some bytes as base64, made and then changed as planned. */
export function signatureText(bytes: Uint8Array, identity: Identity, plan: SignaturePlan = {}): string {
  const { encoding = identity.signatureEncoding ?? "der", hash = "sha256", change } = plan;
  const signing = {
    key: plan.key === "stranger" ? stranger() : privateKeyFor(identity.privateKeyPem),
    dsaEncoding: encoding === "der" ? ("der" as const) : ("ieee-p1363" as const),
  };
  if (change === "url-safe" || change === "unpadded") return recoded(bytes, signing, hash, change);
  return changed(sign(hash, bytes, signing), change);
}

function changed(signature: Buffer, change: SignaturePlan["change"]): string {
  const text = signature.toString("base64");
  switch (change) {
    case "flip-bit":
      signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      return signature.toString("base64");
    case "cut":
      return signature.subarray(0, -1).toString("base64");
    case "extend":
      return Buffer.concat([signature, Buffer.from([0])]).toString("base64");
    case "line-break":
      return `${text.slice(0, 64)}\n${text.slice(64)}`;
    case "blank":
      return ` ${text}`;
    case "zero":
      return Buffer.alloc(signature.length).toString("base64");
    default:
      return text;
  }
}

/** Signs until the text differs from standard base64 in what is asked for: signatures are random. */
function recoded(
  bytes: Uint8Array,
  signing: Parameters<typeof sign>[2],
  hash: string,
  change: "url-safe" | "unpadded",
): string {
  for (;;) {
    const text = sign(hash, bytes, signing).toString("base64");
    const other =
      change === "unpadded" ? text.replace(/={1,2}$/, "") : text.replaceAll("+", "-").replaceAll("/", "_");
    if (other !== text) return other;
  }
}
