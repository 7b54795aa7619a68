import type {
  ApiKeyRecord,
  DeviceKeyRecord,
  KeyUseRecord,
  PortalLoginRecord,
  RegistrationRecord,
  UserRecord,
} from "../../ports/index.ts";
import { count, hashed, json, oneOf, optional, text, time } from "./column.ts";
import { institutions, legalReps } from "../../../ledger/tables/parties.ts";
import { defineTable } from "./table.ts";

/** User names are unique over all institutions: a credential names no institution (section 5). */
export const users = defineTable<UserRecord>({
  name: "users",
  columns: {
    userName: text("user_name"),
    institutionId: text("institution_id"),
    email: text("email"),
    scopes: json("scopes"),
    customerIds: optional(json<readonly string[]>("customer_ids")),
    otpFailures: count("otp_failures"),
    otpLockedUntil: optional(time("otp_locked_until")),
    createdAt: time("created_at"),
    realm: text("realm"),
  },
  key: ["userName"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  indexes: { users_by_institution: ["institutionId", "realm", "userName"] },
});

export const apiKeys = defineTable<ApiKeyRecord>({
  name: "api_keys",
  columns: {
    id: text("id"),
    userName: text("user_name"),
    hash: text("hash"),
    createdAt: time("created_at"),
    expiresAt: optional(time("expires_at")),
    revokedAt: optional(time("revoked_at")),
  },
  key: ["id"],
  references: [{ fields: ["userName"], to: () => users }],
  indexes: { api_keys_by_user: ["userName", "createdAt", "id"] },
});

export const deviceKeys = defineTable<DeviceKeyRecord>({
  name: "device_keys",
  columns: {
    keyId: text("key_id"),
    userName: text("user_name"),
    publicKeyPem: optional(text("public_key_pem")),
    status: oneOf("status", ["ACTIVE", "PENDING", "REVOKED"]),
    fingerprintJson: optional(text("fingerprint_json")),
    createdAt: time("created_at"),
    revokedAt: optional(time("revoked_at")),
  },
  key: ["keyId"],
  references: [{ fields: ["userName"], to: () => users }],
  indexes: { device_keys_by_user: ["userName", "createdAt", "keyId"] },
});

/** Apart from the keys, whose records are audited: a use changes none of them. */
export const keyUses = defineTable<KeyUseRecord>({
  name: "key_uses",
  columns: { userName: text("user_name"), keyId: text("key_id"), usedAt: time("used_at") },
  key: ["userName", "keyId"],
  references: [{ fields: ["userName"], to: () => users }],
  isClustered: true,
});

export const registrations = defineTable<RegistrationRecord>({
  name: "registrations",
  columns: {
    otpToken: hashed("otp_token"),
    userName: text("user_name"),
    otpHash: text("otp_hash"),
    failures: count("failures"),
    expiresAt: time("expires_at"),
    usedAt: optional(time("used_at")),
    createdAt: time("created_at"),
  },
  key: ["otpToken"],
  references: [{ fields: ["userName"], to: () => users }],
});

export const portalLogins = defineTable<PortalLoginRecord>({
  name: "portal_logins",
  columns: {
    legalRepId: text("legal_rep_id"),
    institutionId: text("institution_id"),
    userName: text("user_name"),
    passwordHash: text("password_hash"),
    totpSecretSealed: text("totp_secret_sealed"),
    createdAt: time("created_at"),
  },
  key: ["institutionId", "legalRepId"],
  references: [{ fields: ["institutionId", "legalRepId"], to: () => legalReps }],
});
