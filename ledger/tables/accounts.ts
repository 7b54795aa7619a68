import type { AccountRecord, BeneficiaryRecord, CategoryRecord } from "../../runtime/ports/index.ts";
import { accountStatuses, accountTypes } from "../../runtime/domain/index.ts";
import {
  amount,
  count,
  defaulting,
  flag,
  json,
  oneOf,
  optional,
  text,
  time,
} from "../../runtime/storage/tables/column.ts";
import { customers, institutions, legalReps } from "./parties.ts";
import { defineTable, type Table } from "../../runtime/storage/tables/table.ts";

export const categories = defineTable<CategoryRecord>({
  name: "categories",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    name: text("name"),
    description: optional(text("description")),
    createdAt: time("created_at"),
  },
  key: ["institutionId", "id"],
  unique: [["institutionId", "name"]],
  references: [{ fields: ["institutionId"], to: () => institutions }],
});

/**
 * `ledgerMinor` follows the postings, so `replace` never touches it. Beside it is the head of the chain of postings,
 * so that a posting writes one row of its account.
 */
export const accounts: Table<AccountRecord> = defineTable<AccountRecord>({
  name: "accounts",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    customerId: text("customer_id"),
    name: text("name"),
    number: text("number"),
    nickName: text("nick_name"),
    type: oneOf("type", accountTypes),
    status: oneOf("status", accountStatuses),
    category: text("category"),
    currency: text("currency"),
    ledgerMinor: amount("ledger_minor"),
    holdMinor: amount("hold_minor"),
    preAuthMinor: amount("pre_auth_minor"),
    minimumMinor: amount("minimum_minor"),
    subLedgerCode: text("sub_ledger_code"),
    tags: json("tags"),
    final: flag("final"),
    parentId: optional(text("parent_id")),
    legalRepIds: json("legal_rep_ids"),
    glAccount: text("gl_account"),
    demandDeposit: flag("demand_deposit"),
    address: json("address"),
    verified: flag("verified"),
    minimumRouteApprovers: count("minimum_route_approvers"),
    newRouteAlert: flag("new_route_alert"),
    ceTransactionNumber: text("ce_transaction_number"),
    accountLevel: text("account_level"),
    accountFinderSync: flag("account_finder_sync"),
    glVerified: flag("gl_verified"),
    shadow: flag("shadow"),
    sweep: flag("sweep"),
    program: text("program"),
    productId: text("product_id"),
    externalLedger: flag("external_ledger"),
    custodialCustomerId: optional(text("custodial_customer_id")),
    custodialType: optional(text("custodial_type")),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
    institutionOwned: optional(flag("institution_owned")),
  },
  key: ["institutionId", "id"],
  unique: [["institutionId", "number"]],
  references: [
    { fields: ["institutionId", "customerId"], to: () => customers },
    { fields: ["institutionId", "parentId"], to: () => accounts },
    { fields: ["institutionId", "custodialCustomerId"], to: () => customers },
  ],
  keptByReplace: ["ledgerMinor"],
  columnsBeside: [defaulting(count("posting_position"), 0), defaulting(text("posting_hash"), "")],
  indexes: {
    accounts_by_creation: ["institutionId", "createdAt", "id"],
    accounts_by_customer: ["institutionId", "customerId", "createdAt", "id"],
    accounts_by_name: ["institutionId", "name", "createdAt", "id"],
  },
});

export const beneficiaries = defineTable<BeneficiaryRecord>({
  name: "beneficiaries",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    accountId: text("account_id"),
    legalRepId: text("legal_rep_id"),
    type: text("type"),
    firstName: text("first_name"),
    lastName: text("last_name"),
    accountNumber: text("account_number"),
    accountType: text("account_type"),
    contact: json("contact"),
    address: json("address"),
    bankAddress: json("bank_address"),
    bankDetail: json("bank_detail"),
    createdBy: text("created_by"),
    status: oneOf("status", ["ACTIVE", "DISABLED"]),
    usCorrespondentBankId: optional(text("us_correspondent_bank_id")),
    channel: optional(text("channel")),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  key: ["institutionId", "id"],
  references: [
    { fields: ["institutionId", "accountId"], to: () => accounts },
    { fields: ["institutionId", "legalRepId"], to: () => legalReps },
  ],
  indexes: { beneficiaries_by_account: ["institutionId", "accountId", "legalRepId", "createdAt", "id"] },
});
