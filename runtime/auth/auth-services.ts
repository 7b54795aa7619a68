import type { KeyObject } from "node:crypto";

/** Who is calling, once authenticated (D-18, D-19). */
export interface Caller {
  readonly userName: string;
  readonly institutionId: string;
  /** Identifier of the key that signed; absent where an operation was signed by a key not yet registered (D-21). */
  readonly keyId?: string;
  /** The groups of records that it may see, as the application groups them; absent: all of its institution. */
  readonly groups?: readonly string[];
}

/** The options of authentication in an interface's row, whatever the scheme. */
export interface AuthOptions {
  /**
   * The one method that a key not yet registered may sign: the key is the PEM in `field` of its payload (D-21). With
   * `byInvitation`, the method also takes the token of an invitation in place of an API key.
   */
  readonly proofOfPossession?: {
    readonly method: string;
    readonly field: string;
    readonly byInvitation?: true;
  };
}

/** What schemes over the users and keys of a store work with. */
export interface AuthServices {
  /** Schemes tell it of every request that they let in. */
  readonly callers: Callers;
  readonly verifier: SignatureVerifier;
  readonly rules: AuthRules;
}

/** The configured rules of authentication, each with the decision that names it. */
export interface AuthRules {
  /** `auth.flatBodies: open` (D-22): the user of an unauthenticated flat body. Default: none, headers are required. */
  readonly openFlatBodies?: Caller;
  /** `auth.replay: strict` (D-24): RFC 9421 message signatures are required. Default: off. */
  readonly isStrict?: boolean;
  /** Scheme and authority that callers see, for `@target-uri`. Default: `http` and the request's `Host`. */
  readonly origin?: string;
}

/** Verifies ECDSA P-256 signatures with SHA-256. */
export interface SignatureVerifier {
  /** `signature` in DER. Answers false for anything that is not a signature of `bytes` by `key`; never rejects. */
  verify(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

/** What schemes have to know of a user. */
export interface KnownUser extends Pick<Caller, "userName" | "institutionId" | "groups"> {
  /** Name of the one interface that the user may call. */
  readonly realm: string;
  /** Method names, `Service.*` or `*`. */
  readonly scopes: readonly string[];
}

/** A user with its API keys, revoked and expired ones included: each call checks them at its time. */
export interface Principal {
  readonly user: KnownUser;
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

/** A user who was invited, and what tells the token of the invitation. Whether it was used is up to the handler. */
export interface Invited {
  readonly user: KnownUser;
  /** SHA-256 of the token, 32 bytes. */
  readonly hash: Buffer;
  readonly expiresAt: number;
}

/** A registered key that verifies: ACTIVE, with its public half imported once (D-17). */
export interface ActiveKey {
  readonly userName: string;
  readonly publicKey: KeyObject;
}

/** Users and keys. */
export interface Callers {
  /** Absent if there is no such user. */
  principal(userName: string): Promise<Principal | undefined>;
  /** A key of the user's institution. Absent if unknown, PENDING or REVOKED. */
  activeKey(keyId: string, user: Pick<KnownUser, "institutionId">): Promise<ActiveKey | undefined>;
  /** A user's invitation, from the store. Absent if the user has none, or does not exist. */
  invitation(userName: string): Promise<Invited | undefined>;
  /** The next call of this user is authenticated from the store. */
  invalidate(userName: string): void;
  /** Notes that a request was authenticated by these keys of the user, API keys or signing keys. */
  used(userName: string, keyIds: readonly string[]): void;
}
