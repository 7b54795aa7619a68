import { createHash, type KeyObject } from "node:crypto";
import { identified } from "../credentials.ts";
import { declaredOptions } from "../declared.ts";
import type { AuthScheme, SchemeBinding, SchemeVerifier } from "../port.ts";
import { takeOnce } from "../take-once.ts";
import { algorithmsOf, signatureAlgorithms, verifies, type SignatureAlgorithm } from "./algorithms.ts";
import { readSignature, type ReadSignature, type SignatureRules } from "./read-signature.ts";

export type { SignatureAlgorithm } from "./algorithms.ts";

export interface MessageSignatureOptions<Caller> {
  /** Finds the key that `keyid` names and whose it is; nothing for an unknown key. */
  key(keyId: string): SigningKey<Caller> | undefined | Promise<SigningKey<Caller> | undefined>;
  /** Scheme and authority under which callers reach the service, `https://api.example`: for `@target-uri`. */
  readonly origin?: string;
}

export interface SigningKey<Caller> {
  /** A public key, or a secret for `hmac-sha256`: `createPublicKey(pem)`, `createSecretKey(bytes)`. */
  readonly key: KeyObject;
  /** For RSA keys where the spec accepts both kinds of RSA signatures. */
  readonly algorithm?: SignatureAlgorithm;
  readonly caller: Caller;
}

const coversDefault = ["@method", "@path", "content-digest"];
const windowDefaultSeconds = 300;

/**
 * HTTP message signatures (RFC 9421). A signature has `created` and `keyid`, covers what the spec asks for, and is
 * accepted once: callers who send the same request twice within a second sign a `nonce`.
 */
export function messageSignature<Caller>(
  options: MessageSignatureOptions<Caller>,
): SchemeVerifier<"message-signature", Caller> {
  return {
    kind: "message-signature",
    bind(declared, binding) {
      const spec = declaredOptions(declared, binding);
      const algorithms = spec.someOf("algorithms", signatureAlgorithms);
      const covers = spec.texts("covers");
      const { origin } = options;
      if (origin === undefined && covers.includes("@target-uri")) {
        throw spec.fault("covers `@target-uri`: give the verifier the `origin` that callers see");
      }
      const rules = {
        covers: covers.length === 0 ? coversDefault : covers,
        tag: spec.text("tag"),
        origin: origin?.replace(/\/$/, ""),
        algorithms,
        windowSeconds: spec.count("window") ?? windowDefaultSeconds,
      };
      return schemeOf(rules, options, binding);
    },
  };
}

interface Rules extends SignatureRules {
  readonly algorithms: readonly string[];
  readonly windowSeconds: number;
}

function schemeOf<Caller>(
  rules: Rules,
  { key: find }: MessageSignatureOptions<Caller>,
  binding: SchemeBinding,
): AuthScheme<Caller> {
  return {
    verifies: "request",
    provesOnce: true,
    async verify(evidence) {
      const read = readSignature(evidence, rules);
      if (read === "missing") return { kind: "missing" };
      if (read === "malformed") {
        return { kind: "malformed", reason: "no signature that covers what the spec asks for" };
      }
      if (!isTimely(read, rules.windowSeconds, binding.clock.now())) return { kind: "expired" };
      const found = await find(read.keyId);
      if (found === undefined) return { kind: "rejected", reason: "unknown key" };
      const algorithm = algorithmFor(found, read.algorithm, rules.algorithms);
      if (algorithm === undefined) return { kind: "rejected", reason: "the key is not for such a signature" };
      if (!(await verifies(algorithm, found.key, read.base, read.signature))) {
        return { kind: "rejected", reason: "wrong signature" };
      }
      // Of the signed bytes, not of the signature: an ECDSA signature has a twin that is valid too.
      const nonce = createHash("sha256").update(read.base).digest("hex");
      const expiresAtMs = (read.created + rules.windowSeconds + 1) * 1000;
      const replayed = await takeOnce(binding, { keyId: read.keyId, nonce, expiresAtMs });
      return replayed ?? identified({ caller: found.caller, scopes: [] });
    },
  };
}

function isTimely({ created, expires }: ReadSignature, windowSeconds: number, nowMs: number): boolean {
  const nowSeconds = nowMs / 1000;
  return Math.abs(nowSeconds - created) <= windowSeconds && (expires === undefined || nowSeconds < expires);
}

/** One that the key is for, the spec accepts and the message, if it says one, names. Two would be a choice of the caller's. */
function algorithmFor<Caller>(
  { key, algorithm }: SigningKey<Caller>,
  named: string | undefined,
  accepted: readonly string[],
): SignatureAlgorithm | undefined {
  const possible = algorithmsOf(key).filter(
    (each) => accepted.includes(each) && (algorithm === undefined || each === algorithm),
  );
  const [only] = possible;
  return possible.length === 1 && (named === undefined || named === only) ? only : undefined;
}
