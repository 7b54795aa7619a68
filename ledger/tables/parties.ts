import type {
  CustomerRecord,
  LegalRepRecord,
  PortalLoginRecord,
  ShareHolderRecord,
} from "../domain/records/parties.ts";
import type { Reads } from "../../runtime/store/ports/index.ts";
import {
  holdingSealed,
  json,
  mapped,
  oneOf,
  optional,
  sealed,
  text,
  time,
  institutions,
  knownToEntries,
  queryOf,
  defineTable,
} from "../../runtime/store/tables/index.ts";

export const customers = defineTable<CustomerRecord>({
  name: "customers",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    type: oneOf("type", ["BUSINESS", "CONSUMER"]),
    name: text("name"),
    status: oneOf("status", ["ACTIVE"]),
    dateEstablished: optional(text("date_established")),
    generalBusinessDescription: optional(text("general_business_description")),
    monthlyProjection: optional(monthlyProjection()),
    identification: sealed(json("identification")),
    contact: json("contact"),
    address: json("address"),
    dateOfBirth: optional(text("date_of_birth")),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  key: ["institutionId", "id"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  indexes: { customers_by_name: ["institutionId", "name"] },
  audited: {
    subjectType: "customer",
    by: "id",
    fields: {
      ...knownToEntries,
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
  },
  isKept: true,
});

export const legalReps = defineTable<LegalRepRecord>({
  name: "legal_reps",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    customerId: text("customer_id"),
    name: text("name"),
    email: text("email"),
    phoneNumber: optional(text("phone_number")),
    status: oneOf("status", ["ACTIVE", "INACTIVE"]),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  key: ["institutionId", "id"],
  references: [{ fields: ["institutionId", "customerId"], to: () => customers }],
  indexes: { legal_reps_by_customer: ["institutionId", "customerId", "id"] },
  audited: {
    subjectType: "legal-rep",
    by: "id",
    fields: {
      ...knownToEntries,
      customerId: "value",
      status: "value",
      name: "hidden",
      email: "hidden",
      phoneNumber: "hidden",
    },
  },
  isKept: true,
});

export const shareHolders = defineTable<ShareHolderRecord>({
  name: "share_holders",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    customerId: text("customer_id"),
    name: text("name"),
    identification: sealed(json("identification")),
    contact: json("contact"),
    address: json("address"),
    status: oneOf("status", ["ENABLED", "DISABLED"]),
    ownershipPercent: optional(text("ownership_percent")),
    dateOfBirth: optional(text("date_of_birth")),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  key: ["institutionId", "id"],
  references: [{ fields: ["institutionId", "customerId"], to: () => customers }],
  indexes: { share_holders_by_customer: ["institutionId", "customerId", "id"] },
  audited: {
    subjectType: "share-holder",
    by: "id",
    fields: {
      ...knownToEntries,
      customerId: "value",
      status: "value",
      name: "hidden",
      identification: "hidden",
      contact: "hidden",
      address: "hidden",
      ownershipPercent: "hidden",
      dateOfBirth: "hidden",
    },
  },
});

/** One a representative: audit entries name it by the representative. */
export const portalLogins = defineTable<PortalLoginRecord>({
  name: "portal_logins",
  columns: {
    legalRepId: text("legal_rep_id"),
    institutionId: text("institution_id"),
    userName: text("user_name"),
    passwordHash: text("password_hash"),
    totpSecretSealed: holdingSealed(text("totp_secret_sealed")),
    createdAt: time("created_at"),
  },
  key: ["institutionId", "legalRepId"],
  references: [{ fields: ["institutionId", "legalRepId"], to: () => legalReps }],
  audited: {
    subjectType: "portal-login",
    by: "legalRepId",
    fields: {
      legalRepId: "silent",
      institutionId: "silent",
      userName: "value",
      // Salted scrypt.
      passwordHash: "digest",
      totpSecretSealed: "hidden",
      createdAt: "value",
    },
  },
});

export const customerById = customers.byKey;
export const customersByIds = queryOf(customers, ["institutionId", ["id", "in"]], { part: ["id"] });
export const customersAfter = queryOf(customers, ["institutionId"], {
  order: ["id"],
  limited: true,
  after: true,
});
export const legalRepById = legalReps.byKey;
export const legalRepsOfCustomer = queryOf(legalReps, ["institutionId", "customerId"], {
  order: ["id"],
  limited: true,
  after: true,
});
export const legalRepsByIds = queryOf(legalReps, ["institutionId", ["id", "in"]], { isKept: true });
export const shareHolderById = shareHolders.byKey;
export const shareHoldersOfCustomer = queryOf(shareHolders, ["institutionId", "customerId"], {
  order: ["id"],
  limited: true,
  after: true,
});
export const portalLoginByLegalRep = portalLogins.byKey;

/** Legal representatives in the order of their identifiers; unknown ones are left out. */
export async function legalRepsOf(
  view: Reads,
  institutionId: string,
  ids: readonly string[],
): Promise<readonly LegalRepRecord[]> {
  const found = await view.many(legalRepsByIds, institutionId, ids);
  const byId = new Map(found.map((legalRep) => [legalRep.id, legalRep]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** JSON has no 64-bit integers: the amount is kept as its digits. */
function monthlyProjection() {
  type Projection = NonNullable<CustomerRecord["monthlyProjection"]>;
  const kept = json<{ readonly amountMinor?: string; readonly currency?: string }>("monthly_projection");
  return mapped<Projection, { readonly amountMinor?: string; readonly currency?: string }>(kept, {
    toKept: ({ amountMinor, ...rest }) =>
      amountMinor === undefined ? rest : { ...rest, amountMinor: amountMinor.toString() },
    fromKept: ({ amountMinor, ...rest }) =>
      amountMinor === undefined ? rest : { ...rest, amountMinor: BigInt(amountMinor) },
  });
}
