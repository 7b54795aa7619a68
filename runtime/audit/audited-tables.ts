import { createHash } from "node:crypto";
import type {
  ApiKeyRecord,
  AuditSubject,
  BeneficiaryRecord,
  CategoryRecord,
  CustomerRecord,
  DeviceKeyRecord,
  InstitutionRecord,
  LegalRepRecord,
  PortalLoginRecord,
  RegistrationRecord,
  ServiceKeyRecord,
  ShareHolderRecord,
  SourceRecord,
  SubscriptionRecord,
  UserRecord,
} from "../ports/index.ts";

/**
 * How an audit entry records a field that changed:
 * - `value`: its values before and after, as text.
 * - `digest`: the SHA-256 of each, lower-case hex.
 * - `hidden`: that it changed, no more: personal data, free text and secrets.
 * - `silent`: nothing: it follows from the entry itself.
 * - a function: the part of the value that may be recorded.
 */
export type Treatment<V> = "value" | "digest" | "hidden" | "silent" | ((value: V) => string);

/** How the changes of one kind of record are recorded. Every field is decided on, so that a new one cannot be forgotten. */
export interface AuditedTable<R> {
  readonly subjectType: AuditSubject;
  subjectId(record: R): string;
  readonly fields: { readonly [Field in keyof Required<R>]: Treatment<Required<R>[Field]> };
}

const known = { id: "silent", institutionId: "silent", createdAt: "silent", updatedAt: "silent" } as const;
const byId = ({ id }: { readonly id: string }): string => id;

export const institutions: AuditedTable<InstitutionRecord> = {
  subjectType: "institution",
  subjectId: byId,
  fields: { id: "silent", name: "value" },
};

export const customers: AuditedTable<CustomerRecord> = {
  subjectType: "customer",
  subjectId: byId,
  fields: {
    ...known,
    type: "value",
    status: "value",
    name: "hidden",
    dateEstablished: "hidden",
    generalBusinessDescription: "hidden",
    monthlyProjection: "hidden",
    identification: "hidden",
    contact: "hidden",
    address: "hidden",
    dateOfBirth: "hidden",
  },
};

export const legalReps: AuditedTable<LegalRepRecord> = {
  subjectType: "legal-rep",
  subjectId: byId,
  fields: {
    ...known,
    customerId: "value",
    status: "value",
    name: "hidden",
    email: "hidden",
    phoneNumber: "hidden",
  },
};

export const shareHolders: AuditedTable<ShareHolderRecord> = {
  subjectType: "share-holder",
  subjectId: byId,
  fields: {
    ...known,
    customerId: "value",
    status: "value",
    name: "hidden",
    identification: "hidden",
    contact: "hidden",
    address: "hidden",
    ownershipPercent: "hidden",
    dateOfBirth: "hidden",
  },
};

export const beneficiaries: AuditedTable<BeneficiaryRecord> = {
  subjectType: "beneficiary",
  subjectId: byId,
  fields: {
    ...known,
    accountId: "value",
    legalRepId: "value",
    status: "value",
    type: "hidden",
    firstName: "hidden",
    lastName: "hidden",
    accountNumber: "hidden",
    accountType: "hidden",
    contact: "hidden",
    address: "hidden",
    bankAddress: "hidden",
    bankDetail: "hidden",
    createdBy: "hidden",
    usCorrespondentBankId: "hidden",
    channel: "hidden",
  },
};

export const categories: AuditedTable<CategoryRecord> = {
  subjectType: "category",
  subjectId: byId,
  fields: { ...silentButUpdated(), name: "value", description: "value" },
};

export const sources: AuditedTable<SourceRecord> = {
  subjectType: "source",
  subjectId: byId,
  fields: { ...known, source: "value", events: "value", keyIds: "value" },
};

export const users: AuditedTable<UserRecord> = {
  subjectType: "user",
  subjectId: ({ userName }) => userName,
  fields: {
    userName: "silent",
    institutionId: "silent",
    createdAt: "silent",
    realm: "value",
    email: "hidden",
    scopes: "value",
    customerIds: "value",
    otpFailures: "value",
    otpLockedUntil: "value",
  },
};

export const apiKeys: AuditedTable<ApiKeyRecord> = {
  subjectType: "credential",
  subjectId: byId,
  fields: {
    id: "silent",
    createdAt: "silent",
    userName: "value",
    // 128 random bits were hashed: a key cannot be found from it.
    hash: "digest",
    expiresAt: "value",
    revokedAt: "value",
  },
};

export const deviceKeys: AuditedTable<DeviceKeyRecord> = {
  subjectType: "key",
  subjectId: ({ keyId }) => keyId,
  fields: {
    keyId: "silent",
    createdAt: "silent",
    userName: "value",
    publicKeyPem: "digest",
    status: "value",
    fingerprintJson: "hidden",
    revokedAt: "value",
  },
};

/** The holder of the token and the one-time password registers a key: the subject is a digest of the token. */
export const registrations: AuditedTable<RegistrationRecord> = {
  subjectType: "registration",
  subjectId: ({ otpToken }) => digestOf(otpToken),
  fields: {
    otpToken: "silent",
    createdAt: "silent",
    userName: "value",
    otpHash: "hidden",
    failures: "value",
    expiresAt: "value",
    usedAt: "value",
  },
};

/** One a representative: the subject is the representative. */
export const portalLogins: AuditedTable<PortalLoginRecord> = {
  subjectType: "portal-login",
  subjectId: ({ legalRepId }) => legalRepId,
  fields: {
    legalRepId: "silent",
    institutionId: "silent",
    userName: "value",
    // Salted scrypt.
    passwordHash: "digest",
    totpSecretSealed: "hidden",
    createdAt: "value",
  },
};

export const subscriptions: AuditedTable<SubscriptionRecord> = {
  subjectType: "subscription",
  subjectId: byId,
  fields: {
    ...known,
    userName: "value",
    name: "hidden",
    // Path and query may hold a secret of the receiver.
    callbackUrl: (url) => new URL(url).origin,
    events: "value",
    groupId: "value",
    remarks: "hidden",
    secretSealed: "hidden",
    formerSecretSealed: "hidden",
    formerSecretUntil: "value",
    enabled: "value",
    disabledReason: "value",
    disabledAt: "value",
    ordered: "value",
    generation: "silent",
    revision: "value",
  },
};

export const serviceKeys: AuditedTable<ServiceKeyRecord> = {
  subjectType: "service-key",
  subjectId: ({ keyId }) => keyId,
  fields: {
    keyId: "silent",
    createdAt: "silent",
    algorithm: "value",
    publicKeyPem: "digest",
    privateKeySealed: "hidden",
    retiredAt: "value",
  },
};

function silentButUpdated() {
  const { updatedAt: _updated, ...rest } = known;
  return rest;
}

/** SHA-256 of a text, lower-case hex. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
