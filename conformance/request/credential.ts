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
}

/** By the name of the scheme. */
export type Credentials = Readonly<Record<string, Credential>>;
