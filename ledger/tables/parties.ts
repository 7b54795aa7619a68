import type {
  CustomerRecord,
  InstitutionRecord,
  LegalRepRecord,
  ShareHolderRecord,
} from "../../runtime/ports/index.ts";
import { json, mapped, oneOf, optional, sealed, text, time } from "../../runtime/storage/tables/column.ts";
import { defineTable } from "../../runtime/storage/tables/table.ts";

export const institutions = defineTable<InstitutionRecord>({
  name: "institutions",
  columns: { id: text("id"), name: text("name") },
  key: ["id"],
});

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
});

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
