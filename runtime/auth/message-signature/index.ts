import { checkMessageSignature, readMessageSignature, type MessageRules } from "../http-signatures.ts";
import {
  isSignatureAlgorithm,
  signatureAlgorithms,
  type SignatureAlgorithm,
  type SignerKey,
} from "../signature-algorithms.ts";
import { omitUndefined } from "../../contract/index.ts";
import { declaredOptions, identified } from "../scheme-parts.ts";
import type { SchemeVerifier } from "../port.ts";

export type { SignatureAlgorithm };

export interface MessageSignatureOptions<Caller> {
  /** Finds the key that `keyid` names and whose it is; nothing for an unknown key. */
  key(keyId: string): SigningKey<Caller> | undefined | Promise<SigningKey<Caller> | undefined>;
  /** Scheme and authority under which callers reach the service, `https://api.example`: for `@target-uri`. */
  readonly origin?: string;
}

/** `createPublicKey(pem)`, `createSecretKey(bytes)`, and whose it is. */
export interface SigningKey<Caller> extends SignerKey {
  readonly caller: Caller;
}

const coversDefault = ["@method", "@path", "content-digest"];
const windowDefaultSeconds = 300;

/**
 * HTTP message signatures (RFC 9421). A signature has `created` and `keyid`, covers what the spec asks for, and is
 * accepted once. Callers who send the same request twice within a second sign a `nonce`.
 */
export function messageSignature<Caller>({
  key: find,
  origin,
}: MessageSignatureOptions<Caller>): SchemeVerifier<"message-signature", Caller> {
  return {
    kind: "message-signature",
    bind(declared, { scheme, realm, clock, replays }) {
      const spec = declaredOptions(declared, { scheme, realm });
      const covers = spec.texts("covers");
      if (origin === undefined && covers.includes("@target-uri")) {
        throw spec.fault("covers `@target-uri`: give the verifier the `origin` that callers see");
      }
      const windowSeconds = spec.count("window") ?? windowDefaultSeconds;
      const shown = origin?.replace(/\/$/, "");
      const rules: MessageRules = {
        covers: covers.length === 0 ? coversDefault : covers,
        algorithms: spec.someOf("algorithms", signatureAlgorithms).filter(isSignatureAlgorithm),
        origin: () => shown,
        aheadSeconds: windowSeconds,
        ageSeconds: windowSeconds,
        ...omitUndefined({ tag: spec.text("tag") }),
      };
      const check = { rules, clock, replays };
      return {
        verifies: "request",
        provesOnce: true,
        async verify(evidence) {
          const signed = readMessageSignature(evidence, rules);
          if (signed === "missing") return { kind: "missing" };
          if (signed === "malformed")
            return { kind: "malformed", reason: "no signature as the spec asks for" };
          const found = await find(signed.keyId);
          if (found === undefined) return { kind: "rejected", reason: "unknown key" };
          const { caller, ...signer } = found;
          const fault = await checkMessageSignature(
            signed,
            { ...signer, owner: `${scheme} ${signed.keyId}` },
            check,
          );
          return fault ?? identified({ caller, scopes: [] });
        },
      };
    },
  };
}
