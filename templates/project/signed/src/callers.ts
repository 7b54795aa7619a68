import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SchemeVerifier } from "ledger-rpc-runtime";
import { messageSignature } from "ledger-rpc-runtime/auth/message-signature";

/** Who calls, as handlers find it in `context.auth.caller.caller`. */
export interface Caller {
  readonly name: string;
}

/** Finds the public key of a caller; nothing for an unknown one. */
export type FindKey = (name: string) => Promise<KeyObject | undefined>;

/** Takes requests that one of the callers has signed (RFC 9421). */
export function callerScheme(find: FindKey): SchemeVerifier<"message-signature", Caller> {
  return messageSignature({
    async key(name) {
      const key = await find(name);
      return key === undefined ? undefined : { key, caller: { name } };
    },
  });
}

/** Reads public keys from a folder, `<name>.pem`: put your database here. */
export function keysIn(folder: string): FindKey {
  return async (name) => {
    if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) return undefined;
    try {
      return createPublicKey(await readFile(join(folder, `${name}.pem`)));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  };
}
