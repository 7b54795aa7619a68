import { timingSafeEqual } from "node:crypto";
import {
  type CallerRights,
  declaredOptions,
  type Found,
  sha256,
  singleHeader,
  verdictOf,
} from "../scheme-parts.ts";
import type { SchemeVerifier } from "../port.ts";

export type ApiKeyOptions<Caller> = CallerRights<Caller> & (ApiKeyList<Caller> | ApiKeyLookup<Caller>);

/** A fixed list of keys. */
export interface ApiKeyList<Caller> {
  /** SHA-256 of a key, in lower-case hexadecimal, and whose it is: `openssl dgst -sha256` of the key. */
  readonly keys: readonly { readonly sha256: string; readonly caller: Caller }[];
}

/** Keys in a store. */
export interface ApiKeyLookup<Caller> {
  /** Finds the caller by the SHA-256 of the key, in lower-case hexadecimal: the store need not know the key. */
  caller(key: { readonly sha256: string }): Found<Caller>;
}

/** A key in the header that the spec names. */
export function apiKey<Caller>(options: ApiKeyOptions<Caller>): SchemeVerifier<"api-key", Caller> {
  return {
    kind: "api-key",
    bind(declared, binding) {
      const { requiredText, fault } = declaredOptions(declared, binding);
      const header = requiredText("header");
      const malformed = "keys" in options && options.keys.some((key) => !/^[0-9a-f]{64}$/.test(key.sha256));
      if (malformed)
        throw fault("has a key without its SHA-256 in lower-case hexadecimal: give the hash, not the key");
      const find = "keys" in options ? finderIn(options.keys) : options.caller;
      return {
        verifies: "request",
        verify(evidence) {
          const presented = singleHeader(evidence, header);
          if (presented.kind !== "text") return presented;
          return verdictOf(find({ sha256: sha256(presented.text) }), binding.clock.now(), options);
        },
      };
    },
  };
}

/** Compares with every key, so that the time says nothing of which one it is near to. */
function finderIn<Caller>(keys: ApiKeyList<Caller>["keys"]): ApiKeyLookup<Caller>["caller"] {
  const known = keys.map(({ sha256: hash, caller }) => ({ hash: Buffer.from(hash, "hex"), caller }));
  return ({ sha256: hash }) => {
    const presented = Buffer.from(hash, "hex");
    let found: Caller | undefined;
    for (const { hash: own, caller } of known) if (timingSafeEqual(own, presented)) found = caller;
    return found;
  };
}
