import type {
  ApiKeyRecord,
  DeviceKeyRecord,
  InstitutionRecord,
  InvitationRecord,
  KeyUseRecord,
  Reads,
  RegistrationRecord,
  UserRecord,
} from "../ports/index.ts";
import { count, hashed, hashOf, json, oneOf, optional, text, time } from "./column.ts";
import { queryOf } from "./query.ts";
import { defineTable } from "./table.ts";

export const institutions = defineTable<InstitutionRecord>({
  name: "institutions",
  columns: { id: text("id"), name: text("name") },
  key: ["id"],
  audited: { subjectType: "institution", by: "id", fields: { id: "silent", name: "value" } },
  isKept: true,
});

/** User names are unique over all institutions: a credential names no institution (section 5). */
export const users = defineTable<UserRecord>({
  name: "users",
  columns: {
    userName: text("user_name"),
    institutionId: text("institution_id"),
    email: text("email"),
    scopes: json("scopes"),
    groups: optional(json<readonly string[]>("seen_groups")),
    otpFailures: count("otp_failures"),
    otpLockedUntil: optional(time("otp_locked_until")),
    createdAt: time("created_at"),
    realm: text("realm"),
  },
  key: ["userName"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  indexes: { users_by_institution: ["institutionId", "realm", "userName"] },
  audited: {
    subjectType: "user",
    by: "userName",
    fields: {
      userName: "silent",
      institutionId: "silent",
      createdAt: "silent",
      realm: "value",
      email: "hidden",
      scopes: "value",
      groups: "value",
      otpFailures: "value",
      otpLockedUntil: "value",
    },
  },
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
  audited: {
    subjectType: "credential",
    by: "id",
    fields: {
      id: "silent",
      createdAt: "silent",
      userName: "value",
      // 128 random bits were hashed: a key cannot be found from it.
      hash: "digest",
      expiresAt: "value",
      revokedAt: "value",
    },
  },
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
  indexes: { device_keys_by_state: ["userName", "status", "createdAt", "keyId"] },
  audited: {
    subjectType: "key",
    by: "keyId",
    fields: {
      keyId: "silent",
      createdAt: "silent",
      userName: "value",
      publicKeyPem: "digest",
      status: "value",
      fingerprintJson: "hidden",
      revokedAt: "value",
    },
  },
});

/** Apart from the keys, whose records are audited: a use changes none of them. */
export const keyUses = defineTable<KeyUseRecord>({
  name: "key_uses",
  columns: { userName: text("user_name"), keyId: text("key_id"), usedAt: time("used_at") },
  key: ["userName", "keyId"],
  references: [{ fields: ["userName"], to: () => users }],
  isClustered: true,
});

/** The holder of the token and the one-time password registers a key: audit entries name it by a digest of the token. */
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
  audited: {
    subjectType: "registration",
    by: "otpToken",
    named: hashOf,
    fields: {
      otpToken: "silent",
      createdAt: "silent",
      userName: "value",
      otpHash: "hidden",
      failures: "value",
      expiresAt: "value",
      usedAt: "value",
    },
  },
});

export const invitations = defineTable<InvitationRecord>({
  name: "invitations",
  columns: {
    userName: text("user_name"),
    hash: text("hash"),
    createdAt: time("created_at"),
    expiresAt: time("expires_at"),
    usedAt: optional(time("used_at")),
  },
  key: ["userName"],
  references: [{ fields: ["userName"], to: () => users }],
  audited: {
    subjectType: "invitation",
    by: "userName",
    fields: {
      userName: "silent",
      createdAt: "silent",
      // 128 random bits were hashed: a token cannot be found from it.
      hash: "digest",
      expiresAt: "value",
      usedAt: "value",
    },
  },
});

export const institutionById = institutions.byKey;
export const institutionsByName = queryOf(institutions, [], { order: ["id"] });
export const userByName = users.byKey;
export const usersAfter = queryOf(users, ["institutionId", "realm"], {
  order: ["userName"],
  limited: true,
  after: true,
});
export const apiKeyById = apiKeys.byKey;
export const lastApiKeysOfUser = queryOf(apiKeys, ["userName"], {
  order: ["createdAt", "id"],
  descending: true,
  limited: true,
});
export const deviceKeyById = deviceKeys.byKey;
export const ownersOfKeys = queryOf(deviceKeys, [["keyId", "in"]], { part: ["keyId", "userName"] });
/** Keys are revoked without end: those that are not are found past them. */
export const deviceKeysInStates = queryOf(deviceKeys, ["userName", ["status", "in"]]);
/** What lists show of a key: its fingerprint may be as long as a request. */
type ListedKey = Pick<DeviceKeyRecord, "keyId" | "status" | "createdAt" | "revokedAt">;
const listedKey = ["keyId", "status", "createdAt", "revokedAt"] as const;
export const listedKeysInStates = queryOf(deviceKeys, ["userName", ["status", "in"]], { part: listedKey });
export const lastKeysInState = queryOf(deviceKeys, ["userName", "status"], {
  part: listedKey,
  order: ["createdAt", "keyId"],
  descending: true,
  limited: true,
});
export const keyUsesOfUser = queryOf(keyUses, ["userName"]);
export const keyUsesOfKeys = queryOf(keyUses, ["userName", ["keyId", "in"]]);
export const invitationOfUser = invitations.byKey;
/** By the hash of its token: see `hashOf`. */
export const registrationByToken = registrations.byKey;

/** API keys of one user that are read, at most. Those that are still valid are the two that were made last. */
const apiKeysShownMax = 1_000;

/** The last keys of a user, revoked and expired ones too, by creation. */
export async function apiKeysOfUser(view: Reads, userName: string): Promise<readonly ApiKeyRecord[]> {
  return (await view.many(lastApiKeysOfUser, userName, apiKeysShownMax)).toReversed();
}

/** Signing keys that a user may have beside revoked ones, and that lists show. */
export const signingKeysMax = 1_000;
/** States of a key that is not revoked. */
export const liveStates = ["ACTIVE", "PENDING"];

/** How many keys a user has that are not revoked. */
export function countLiveKeys(view: Reads, userName: string): Promise<number> {
  return view.count(listedKeysInStates, userName, liveStates);
}

/** The keys of a user that are not revoked and those that were made last of the others, by creation. */
export async function signingKeysOfUser(view: Reads, userName: string): Promise<readonly ListedKey[]> {
  const live = await view.many(listedKeysInStates, userName, liveStates);
  const room = Math.max(signingKeysMax - live.length, 0);
  const revoked = await view.many(lastKeysInState, userName, "REVOKED", room);
  return [...live, ...revoked].toSorted((a, b) => a.createdAt - b.createdAt || (a.keyId < b.keyId ? -1 : 1));
}

export async function registrationOf(view: Reads, otpToken: string): Promise<RegistrationRecord | undefined> {
  const found = await view.one(registrationByToken, hashOf(otpToken));
  return found && { ...found, otpToken };
}
