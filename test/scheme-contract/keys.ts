import { createSecretKey, generateKeyPairSync, type KeyObject } from "node:crypto";

export type Person = "ann" | "bob" | "eve";
export const people: readonly Person[] = ["ann", "bob", "eve"];

/** Whose key it is where a service knows it: eve's is not known. */
export function knownCaller(keyId: string): "ann" | "bob" | undefined {
  if (keyId === "ann" || keyId === "bob") return keyId;
  return undefined;
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

type KeySort = "P-256" | "P-384" | "ed25519" | "rsa";

type KeyPairs = Readonly<Record<Person, KeyPair>>;

const made = new Map<KeySort, KeyPairs>();

/** Made once: RSA keys take long. */
export function pairsOf(sort: KeySort): KeyPairs {
  const pairs = made.get(sort) ?? { ann: pairOf(sort), bob: pairOf(sort), eve: pairOf(sort) };
  made.set(sort, pairs);
  return pairs;
}

function pairOf(sort: KeySort): KeyPair {
  if (sort === "ed25519") return generateKeyPairSync("ed25519");
  if (sort === "rsa") return generateKeyPairSync("rsa", { modulusLength: 2048 });
  return generateKeyPairSync("ec", { namedCurve: sort });
}

export const secrets: Readonly<Record<Person, Buffer>> = {
  ann: Buffer.alloc(48, "secret of ann, "),
  bob: Buffer.alloc(48, "secret of bob, "),
  eve: Buffer.alloc(48, "secret of eve, "),
};

export function secretPair(person: Person): KeyPair {
  const key = createSecretKey(secrets[person]);
  return { publicKey: key, privateKey: key };
}
