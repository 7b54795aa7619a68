/**
 * The records that a store keeps, in domain words. Times are milliseconds since the Unix epoch (UTC); amounts are
 * integer minor units of the record's currency; identifiers are opaque strings. Every record belongs to one
 * institution, and no query crosses institutions (D-08).
 */

export type AccountStatus =
  "CREATED" | "ACTIVE" | "CURTAILED" | "DORMANT" | "SUSPENDED" | "BLOCKED" | "CLOSED" | "DISABLED";

export type AccountType =
  "SAVINGS" | "CHECKING" | "WALLET" | "MONEY_MARKET" | "CREDIT_CARD" | "GL" | "CUSTODIAL";

export interface InstitutionRecord {
  readonly id: string;
  readonly name: string;
}

export interface AddressRecord {
  readonly addressLine1?: string;
  readonly addressLine2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  readonly zip?: string;
}

export interface ContactRecord {
  readonly email?: string;
  readonly phoneNumber?: string;
}

export interface IdentificationRecord {
  readonly type: string;
  readonly value: string;
}

export interface CustomerRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly type: "BUSINESS" | "CONSUMER";
  /** Legal name of a business; full name of a consumer. */
  readonly name: string;
  readonly status: "ACTIVE";
  /** YYYYMMDD. */
  readonly dateEstablished?: string;
  readonly generalBusinessDescription?: string;
  readonly monthlyProjection?: { readonly amountMinor?: bigint; readonly currency?: string };
  readonly identification: readonly IdentificationRecord[];
  readonly contact: ContactRecord;
  readonly address: AddressRecord;
  /** YYYYMMDD, consumers. */
  readonly dateOfBirth?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface LegalRepRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly customerId: string;
  readonly name: string;
  readonly email: string;
  readonly phoneNumber?: string;
  readonly status: "ACTIVE" | "INACTIVE";
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ShareHolderRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly customerId: string;
  readonly name: string;
  readonly identification: IdentificationRecord;
  readonly contact: ContactRecord;
  readonly address: AddressRecord;
  readonly status: "ENABLED" | "DISABLED";
  readonly ownershipPercent?: string;
  /** YYYYMMDD. */
  readonly dateOfBirth?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface BeneficiaryRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly accountId: string;
  readonly legalRepId: string;
  readonly type: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly accountNumber: string;
  readonly accountType: string;
  readonly contact: ContactRecord;
  readonly address: { readonly country?: string };
  readonly bankAddress: {
    readonly line1?: string;
    readonly city?: string;
    readonly zipCode?: string;
    readonly country?: string;
  };
  readonly bankDetail: { readonly idType?: string; readonly id?: string; readonly bankName?: string };
  readonly createdBy: string;
  readonly status: "ACTIVE" | "DISABLED";
  readonly usCorrespondentBankId?: string;
  readonly channel?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A globally defined account category or product. */
export interface CategoryRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly name: string;
  readonly description?: string;
  readonly createdAt: number;
}

export interface SourceRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly source: string;
  readonly events: readonly { readonly name: string; readonly description: string }[];
  readonly keyIds: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface AccountRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly customerId: string;
  readonly name: string;
  /** Unique within the institution. */
  readonly number: string;
  readonly nickName: string;
  readonly type: AccountType;
  readonly status: AccountStatus;
  readonly category: string;
  /** ISO 4217 alphabetic code. */
  readonly currency: string;
  /** Sum of the account's postings: kept beside them, re-derived by `verify`. Credits are positive. */
  readonly ledgerMinor: bigint;
  readonly holdMinor: bigint;
  readonly preAuthMinor: bigint;
  readonly minimumMinor: bigint;
  readonly subLedgerCode: string;
  readonly tags: readonly string[];
  readonly final: boolean;
  /** The institution's own, such as clearing: its status changes through the operator interface only (D-55). */
  readonly institutionOwned?: boolean;
  /** The pool account under which this one was opened. */
  readonly parentId?: string;
  readonly legalRepIds: readonly string[];
  readonly glAccount: string;
  readonly demandDeposit: boolean;
  readonly address: AddressRecord;
  readonly verified: boolean;
  readonly minimumRouteApprovers: number;
  readonly newRouteAlert: boolean;
  readonly ceTransactionNumber: string;
  readonly accountLevel: string;
  readonly accountFinderSync: boolean;
  readonly glVerified: boolean;
  readonly shadow: boolean;
  readonly sweep: boolean;
  readonly program: string;
  readonly productId: string;
  readonly externalLedger: boolean;
  readonly custodialCustomerId?: string;
  readonly custodialType?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type TransactionStatus = "COMPLETED" | "PENDING" | "FAILED" | "DECLINED" | "REJECTED" | "CANCELLED";

export interface TransactionRecord {
  readonly id: string;
  readonly institutionId: string;
  /** Unique within the institution. */
  readonly referenceId: string;
  readonly customerId: string;
  readonly status: TransactionStatus;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** The accounts that the money moves between; an outside party is a GL account. */
  readonly debtorAccountId: string;
  readonly creditorAccountId: string;
  /** The documented record (section 2.7) as JSON text, exactly as recorded, with its own time offset; without Status. */
  readonly documentJson: string;
  /** SHA-256 of the canonical (RFC 8785) content, for idempotency by reference. Lower-case hex. */
  readonly contentHash: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One leg of a balanced entry. The postings of one transaction and currency sum to zero. */
export interface PostingRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly transactionId: string;
  readonly accountId: string;
  readonly currency: string;
  /** Credit positive, debit negative. */
  readonly amountMinor: bigint;
  readonly createdAt: number;
}

/** A posting as it is kept: a link in the chain of its account. */
export interface ChainedPostingRecord extends PostingRecord {
  /** From 1. */
  readonly position: number;
  /** SHA-256 of this link, lower-case hex. */
  readonly hash: string;
}

/** Who may call: a credential of one institution (D-18, D-19). */
export interface UserRecord {
  readonly userName: string;
  readonly institutionId: string;
  /** Name of the one interface that the user may call. */
  readonly realm: string;
  readonly email: string;
  /** Method names, `Service.*` or `*`. */
  readonly scopes: readonly string[];
  /** Absent: every customer of the institution. */
  readonly customerIds?: readonly string[];
  /** Consecutive failed one-time passwords (D-20). */
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

/** A started device registration: one-time password and its token (D-20). */
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

/** A legal representative's portal login (D-35). A new one replaces and revokes the former. */
export interface PortalLoginRecord {
  readonly legalRepId: string;
  readonly institutionId: string;
  readonly userName: string;
  /** `scrypt$…` or `argon2id$…`: algorithm, parameters, salt and hash. */
  readonly passwordHash: string;
  /** The TOTP secret, sealed by the service's own key. */
  readonly totpSecretSealed: string;
  readonly createdAt: number;
}

export interface SubscriptionRecord {
  readonly id: string;
  readonly institutionId: string;
  /** The user who made it, or to whom the operator handed it. */
  readonly userName: string;
  readonly name: string;
  readonly callbackUrl: string;
  readonly events: readonly string[];
  /** Account numbers. */
  readonly groupId: readonly string[];
  readonly remarks?: string;
  /** HMAC secret of Standard Webhooks, sealed by the service's own key. */
  readonly secretSealed: string;
  /** The secret before it, until which time it still signs beside the new one. */
  readonly formerSecretSealed?: string;
  readonly formerSecretUntil?: number;
  readonly enabled: boolean;
  /** Why it is not enabled; absent where it is, and where its own user has disabled it. */
  readonly disabledReason?: "OPERATOR" | "FAILING" | "GONE" | "REVOKED";
  readonly disabledAt?: number;
  /** Whether each account's events arrive strictly one after the other. */
  readonly ordered: boolean;
  /** The revision that it was made in, in whose words its events are told; absent: the oldest that is served. */
  readonly revision?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An account number of a subscription's `groupId`, with the customer who had it when it was subscribed to. */
export interface SubscriptionAccountRecord {
  readonly institutionId: string;
  readonly subscriptionId: string;
  readonly accountNumber: string;
  /** Absent where no account has the number. */
  readonly customerId?: string;
}

/** An event, written in the transaction of the change that it announces (D-39). Delivery reads it later. */
export interface OutboxEventRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly name: string;
  /** Source that caused it (section 4.16). */
  readonly source: string;
  /** Account numbers it is about; for `Account.NEW` also the pool account's. */
  readonly accountNumbers: readonly string[];
  readonly customerId: string;
  /** The notification's `payload` member as JSON text. */
  readonly payloadJson: string;
  /** Sent instead to subscribers of these accounts alone (D-49). */
  readonly otherPayloads?: readonly OtherPayload[];
  /** The revision in whose words name and payload are; absent where that was not noted. */
  readonly revision?: string;
  /** `traceparent` of the call that caused it; absent where calls are not traced. */
  readonly traceParent?: string;
  readonly createdAt: number;
}

/** What an event says to subscribers of one of its accounts, where that differs. */
export interface OtherPayload {
  readonly accountNumber: string;
  readonly payloadJson: string;
}

/** A mail waiting to be sent: written with the change that causes it, deleted once sent. */
export interface OutboxMailRecord {
  readonly id: string;
  /** The whole message, sealed by the service's own key: it may hold a one-time password. */
  readonly messageSealed: string;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly createdAt: number;
}

/** The nonce of a message signature that was taken: no request passes with it again (RFC 9421 §7.2.2). */
export interface NonceRecord {
  /** Whose it is: nonces of different owners are different. */
  readonly owner: string;
  readonly nonce: string;
  /** When the signature is no longer valid. */
  readonly expiresAt: number;
}

/** The first answer to a `create`, for its repetitions inside 24 h (D-24). */
export interface AnswerRecord {
  /** SHA-256 over interface, key, method, request id and payload; lower-case hex. */
  readonly requestHash: string;
  readonly resultJson: string;
  readonly createdAt: number;
  /** Whose result it is; absent where it was kept before this was noted. */
  readonly institutionId?: string;
}
