import type { KeyObject } from "node:crypto";
import type { AuthScheme } from "./auth-scheme.ts";
import type { Caller } from "../service/handler-context.ts";
import type { UserRecord } from "../store/records.ts";
import type { Clock, KeyUses } from "../store/ports/system.ts";

/** Makes the scheme of one interface. Called once, when the interface is composed. */
export type AuthSchemeFactory = (services: AuthServices) => AuthScheme;

/** The options of authentication in an interface's row, whatever the scheme. */
export interface AuthOptions {
  /** The one method that a key not yet registered may sign: the key is the PEM in `field` of its payload (D-21). */
  readonly proofOfPossession?: { readonly method: string; readonly field: string };
}

/** Services of the process for schemes. */
export interface AuthServices {
  /** Name of the interface: users of another realm are unknown to it. */
  readonly realm: string;
  readonly clock: Clock;
  readonly callers: CallerCache;
  /** Schemes tell it of every request that they let in. */
  readonly keyUses: Pick<KeyUses, "used">;
  readonly verifier: SignatureVerifier;
  readonly rules: AuthRules;
}

/** The configured rules of authentication, each with the decision that names it. */
export interface AuthRules {
  /** `auth.flatBodies: open` (D-22): the user of an unauthenticated flat body. Default: none, headers are required. */
  readonly openFlatBodies?: Caller;
  /** `auth.replay: strict` (D-24): RFC 9421 message signatures are required. Default: off. */
  readonly messageSignatures?: MessageSignatureRules;
}

export interface MessageSignatureRules {
  /** One for the process. */
  readonly nonces: NonceRegister;
  /**
   * Scheme and authority under which callers reach the service, for signatures over `@target-uri`, `@scheme` or
   * `@authority`: `https://ledger.example`. Absent: `http` and the `Host` header.
   */
  readonly publicOrigin?: string;
}

/** Verifies ECDSA P-256 signatures with SHA-256. */
export interface SignatureVerifier {
  /** `signature` in DER. Answers false for anything that is not a signature of `bytes` by `key`; never rejects. */
  verify(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

/** A user with its API keys, revoked and expired ones included: each call checks them at its time. */
export interface Principal {
  readonly user: UserRecord;
  readonly apiKeys: readonly ApiKeyHash[];
}

export interface ApiKeyHash {
  /** Identifier of the API key. */
  readonly id: string;
  /** SHA-256, 32 bytes. */
  readonly hash: Buffer;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** A registered key that verifies: ACTIVE, with its public half imported once (D-17). */
export interface ActiveKey {
  readonly userName: string;
  readonly publicKey: KeyObject;
}

/** Users and keys through a bounded cache that a change empties at once. */
export interface CallerCache {
  /** Absent if there is no such user. */
  principal(userName: string): Promise<Principal | undefined>;
  /** A key of the user's institution. Absent if unknown, PENDING or REVOKED. */
  activeKey(keyId: string, user: Pick<UserRecord, "institutionId">): Promise<ActiveKey | undefined>;
  /** The next call of this user is authenticated from the store. */
  invalidate(userName: string): void;
}

/**
 * Remembers the nonces of message signatures until they expire, so that none is taken twice (RFC 9421 §7.2.2): in the
 * store, so that neither a restart nor another process on the same database forgets them.
 */
export interface NonceRegister {
  /**
   * Takes a nonce, and has it on the disk before it resolves. `replayed` if it was taken before, and where it may have
   * been: for one that expires no later than one that was removed, even if the clock is set back. `full` if its owner
   * has as many live nonces as one may: it then refuses rather than forgets, because forgetting would let a captured
   * request pass again. Other owners go on.
   */
  take(nonce: OwnedNonce): Promise<NonceVerdict>;
}

export interface OwnedNonce {
  /** The holder of the private key: a nonce of one owner takes no room from another's. */
  readonly owner: string;
  /** The institution of the owner. */
  readonly institutionId: string;
  readonly nonce: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

export type NonceVerdict =
  | { readonly kind: "taken" | "replayed" }
  /** Room is there again after this time. */
  | { readonly kind: "full"; readonly retryAfterMs: number };
