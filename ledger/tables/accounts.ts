import type { AccountRecord, CategoryRecord } from "../domain/records/accounts.ts";
import type { BeneficiaryRecord } from "../domain/records/parties.ts";
import { accountStatuses, accountTypes } from "../domain/accounts.ts";
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
  institutions,
  knownToEntries,
  queryOf,
  defineTable,
  type Columns,
  type Table,
} from "../../runtime/store/tables/index.ts";
import { customers, legalReps } from "./parties.ts";

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
  audited: {
    subjectType: "category",
    by: "id",
    fields: {
      id: "silent",
      institutionId: "silent",
      createdAt: "silent",
      name: "value",
      description: "value",
    },
  },
});

/**
 * `ledgerMinor` follows the postings, so `replace` never touches it. Beside it is the head of the chain of postings,
 * so that a posting writes one row of its account.
 */
const accountColumns: Columns<AccountRecord> = {
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
};

export const accounts: Table<AccountRecord> = defineTable<AccountRecord>({
  name: "accounts",
  columns: accountColumns,
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
  unmarks: {
    sql: "DELETE FROM account_marks WHERE institution_id = $1 AND (created_at, id) > ($2, $3)",
    by: ["institutionId", "createdAt", "id"],
  },
  requireNew: ({ ledgerMinor }) => {
    if (ledgerMinor !== 0n) throw new Error("a new account has no ledger: only postings move it from 0");
  },
  isKept: true,
});

/** An account beside the head of the chain of its postings, absent before the first one. */
interface HeadedAccount extends AccountRecord {
  readonly postingPosition?: number;
  readonly postingHash?: string;
}

const headedAccounts = defineTable<HeadedAccount>({
  name: accounts.name,
  columns: {
    ...accountColumns,
    postingPosition: optional(count("posting_position")),
    postingHash: optional(text("posting_hash")),
  },
  key: ["institutionId", "id"],
  unique: [["institutionId", "number"]],
});

/** The heads of accounts that are about to move. In one order: two transactions over the same accounts never wait for each other. */
export const headsForChange = queryOf(headedAccounts, ["institutionId", ["id", "in"]], {
  order: ["id"],
  locks: "wait",
  part: ["id", "currency", "ledgerMinor", "postingPosition", "postingHash"],
});
export const headedAccountById = headedAccounts.byKey;

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
  indexes: {
    beneficiaries_by_account: ["institutionId", "accountId", "legalRepId", "createdAt", "id"],
    beneficiaries_of_account: ["institutionId", "accountId", "id"],
  },
  audited: {
    subjectType: "beneficiary",
    by: "id",
    fields: {
      ...knownToEntries,
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
  },
});

export const categoriesAfter = queryOf(categories, ["institutionId"], {
  order: ["id"],
  limited: true,
  after: true,
});
export const categoryByName = queryOf(categories, ["institutionId", "name"]);
export const accountById = accounts.byKey;
export const accountByNumber = queryOf(accounts, ["institutionId", "number"], { isKept: true });
export const accountsByNumbers = queryOf(accounts, ["institutionId", ["number", "in"]]);
export const beneficiaryById = beneficiaries.byKey;
/** Of one account and one legal representative, by creation, then id. */
export const beneficiariesOfAccount = queryOf(beneficiaries, ["institutionId", "accountId", "legalRepId"], {
  order: ["createdAt", "id"],
  limited: true,
});
/** Of one account, whoever added them. */
export const allBeneficiariesOfAccount = queryOf(beneficiaries, ["institutionId", "accountId"], {
  order: ["id"],
  limited: true,
  after: true,
});
