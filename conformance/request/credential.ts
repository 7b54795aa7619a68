/** The credential of an access file for one authentication scheme. Which members count depends on the kind of the scheme. */
export interface Credential {
  /** `basic`. */
  readonly user?: string;
  readonly password?: string;
  /** `bearer`. */
  readonly token?: string;
  /** `api-key`. */
  readonly key?: string;
  /** `bearer`, `api-key`: one that is right and grants no scope. */
  readonly limited?: string;
  /** `bearer`, `api-key`: one that was right once. */
  readonly expired?: string;
  /** `jwt`: who the tokens are about. */
  readonly subject?: string;
  /** `jwt`: claims beyond those that the spec asks for. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `jwt`, `hmac`, `message-signature`: which key it is. */
  readonly keyId?: string;
  /** `jwt` with HS256 to HS512, `hmac`, `message-signature` with hmac-sha256. */
  readonly secret?: string;
  /** `jwt`: in place of the suite's own issuer; `message-signature`. */
  readonly privateKeyPem?: string;
  /** `jwt`, `message-signature`: the first that the spec allows, if absent. */
  readonly algorithm?: string;
  /** `message-signature`: scheme and authority under which callers reach the service. */
  readonly origin?: string;
  /** `client-cert`: right, of another caller or issuer, and expired. */
  readonly certificatePem?: string;
  readonly strangerPem?: string;
  readonly expiredPem?: string;
  /** Kinds of the project's own: what their callers send, the same in each request. */
  readonly own?: OwnCredential;
  /** Kinds of the project's own, in place of `own`: path of the module that makes the headers of each request. */
  readonly module?: string;
}

/** Headers by name, in lower case. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** Faults and limits for which a scheme of the project's own may have headers beside the right ones. */
export const ownVariants = ["malformed", "wrong", "expired", "limited"] as const;

export interface OwnCredential extends Partial<Readonly<Record<(typeof ownVariants)[number], OwnHeaders>>> {
  readonly headers: OwnHeaders;
}

/** By the name of the scheme. */
export type Credentials = Readonly<Record<string, Credential>>;
