/** Who may call: a credential of one institution. */
export interface UserRecord {
  readonly userName: string;
  readonly institutionId: string;
  /** Name of the one interface that the user may call. */
  readonly realm: string;
  readonly email: string;
  /** Method names, `Service.*` or `*`. */
  readonly scopes: readonly string[];
  /** The groups of records that it may see, as the application groups them; absent: all of the institution. */
  readonly groups?: readonly string[];
  /** Consecutive failed one-time passwords. */
  readonly otpFailures: number;
  readonly otpLockedUntil?: number;
  readonly createdAt: number;
}

export interface ApiKeyRecord {
  readonly id: string;
  readonly userName: string;
  /** SHA-256 of the key, lower-case hex. The key itself is never stored. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** When an API key or a signing key was last used, within ten minutes. */
export interface KeyUseRecord {
  readonly userName: string;
  /** Identifier of the API key or of the signing key. */
  readonly keyId: string;
  readonly usedAt: number;
}

export interface DeviceKeyRecord {
  readonly keyId: string;
  readonly userName: string;
  /** SPKI PEM; absent while PENDING. */
  readonly publicKeyPem?: string;
  readonly status: "ACTIVE" | "PENDING" | "REVOKED";
  /** Device fingerprint (section 4.13) as JSON text. */
  readonly fingerprintJson?: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
}

/** A started device registration: one-time password and its token. */
export interface RegistrationRecord {
  /** 32 hexadecimal digits; only their SHA-256 is stored. */
  readonly otpToken: string;
  readonly userName: string;
  /** SHA-256 over token and one-time password, lower-case hex. */
  readonly otpHash: string;
  readonly failures: number;
  readonly expiresAt: number;
  readonly usedAt?: number;
  readonly createdAt: number;
}

/** An invitation of a user to make their first key, or another one. A user has one at most: a newer one takes its place. */
export interface InvitationRecord {
  readonly userName: string;
  /** SHA-256 of the token, lower-case hex. The token itself is never stored. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly usedAt?: number;
}

/** The nonce of a message signature that was taken: no request passes with it again (RFC 9421 §7.2.2). */
export interface NonceRecord {
  /** Whose it is: nonces of different owners are different. */
  readonly owner: string;
  readonly nonce: string;
  /** When the signature is no longer valid. */
  readonly expiresAt: number;
}

/** The first answer to a `create`, for its repetitions inside 24 h. */
export interface AnswerRecord {
  /** SHA-256 over interface, key, method, request id and payload; lower-case hex. */
  readonly requestHash: string;
  readonly resultJson: string;
  readonly createdAt: number;
  /** Whose result it is; absent where it was kept before this was noted. */
  readonly institutionId?: string;
}

/** Whose records a service keeps: each belongs to one institution. */
export interface InstitutionRecord {
  readonly id: string;
  readonly name: string;
}
