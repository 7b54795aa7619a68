import type {
  AccountRecord,
  PostingRecord,
  TransactionRecord,
} from "../../ledger/domain/records/accounts.ts";
import type {
  BeneficiaryRecord,
  CustomerRecord,
  LegalRepRecord,
  ShareHolderRecord,
} from "../../ledger/domain/records/parties.ts";
import type {
  Finding,
  FindingKind,
  InstitutionRecord,
  LedgerVerification,
  OutboxMailRecord,
  Writes,
  UserRecord,
} from "../../runtime/store/ports/index.ts";
import { institutions, users } from "../../runtime/store/tables/index.ts";
import { customers, legalReps, accounts } from "../../ledger/tables/index.ts";

/** Texts that a careless adapter would change: other planes, combining marks, quotes, wildcards, a line break. */
export const awkwardText = "Zoë 𝄞 e\u0301 'a' \"b\" 100%_\\ \n end";

export const bank: InstitutionRecord = { id: "021000021", name: "First Bank" };
export const otherBank: InstitutionRecord = { id: "026009593", name: "Second Bank" };

export const customer: CustomerRecord = {
  id: "customer-1",
  institutionId: bank.id,
  type: "BUSINESS",
  name: awkwardText,
  status: "ACTIVE",
  dateEstablished: "19990101",
  generalBusinessDescription: "Bakery",
  monthlyProjection: { amountMinor: 2n ** 63n - 1n, currency: "USD" },
  identification: [{ type: "TIN", value: "12-3456789" }],
  contact: { email: "a@example.com", phoneNumber: "+1 555 0100" },
  address: { addressLine1: "1 Main St", city: "Springfield", state: "IL", country: "US", zip: "62701" },
  dateOfBirth: "19700101",
  createdAt: 1_700_000_000_123,
  updatedAt: 1_700_000_000_456,
};

export const legalRep: LegalRepRecord = {
  id: "rep-1",
  institutionId: bank.id,
  customerId: customer.id,
  name: "Ada",
  email: "ada@example.com",
  phoneNumber: "+1 555 0101",
  status: "ACTIVE",
  createdAt: 1,
  updatedAt: 2,
};

export const shareHolder: ShareHolderRecord = {
  id: "holder-1",
  institutionId: bank.id,
  customerId: customer.id,
  name: "Grace",
  identification: { type: "SSN", value: "078-05-1120" },
  contact: { phoneNumber: "+1 555 0102" },
  address: {},
  status: "ENABLED",
  ownershipPercent: "12.5",
  dateOfBirth: "19691231",
  createdAt: 1,
  updatedAt: 2,
};

export const account: AccountRecord = {
  id: "account-1",
  institutionId: bank.id,
  customerId: customer.id,
  name: "Operating",
  number: "000000000000197",
  nickName: "",
  type: "CHECKING",
  status: "ACTIVE",
  category: "STANDARD",
  currency: "USD",
  ledgerMinor: 0n,
  holdMinor: 25n,
  preAuthMinor: -(2n ** 63n) + 1n,
  minimumMinor: 2n ** 63n - 1n,
  subLedgerCode: "S1",
  tags: ["a", awkwardText],
  final: false,
  legalRepIds: [legalRep.id],
  glAccount: "GL-1",
  demandDeposit: true,
  address: { country: "US" },
  verified: true,
  minimumRouteApprovers: 2,
  newRouteAlert: false,
  ceTransactionNumber: "",
  accountLevel: "1",
  accountFinderSync: true,
  glVerified: false,
  shadow: false,
  sweep: true,
  program: "P",
  productId: "",
  externalLedger: false,
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_001,
};

export const beneficiary: BeneficiaryRecord = {
  id: "beneficiary-1",
  institutionId: bank.id,
  accountId: account.id,
  legalRepId: legalRep.id,
  type: "INDIVIDUAL",
  firstName: "Jean",
  lastName: "Dupont",
  accountNumber: "FR76",
  accountType: "S",
  contact: {},
  address: { country: "FR" },
  bankAddress: { city: "Paris" },
  bankDetail: { idType: "SWIFT", id: "BNPAFRPP", bankName: "BNP" },
  createdBy: "ada@example.com",
  status: "ACTIVE",
  usCorrespondentBankId: "021000089",
  channel: "WIRE",
  createdAt: 1,
  updatedAt: 2,
};

export const user: UserRecord = {
  userName: "user-1",
  institutionId: bank.id,
  realm: "ledger",
  email: "user@example.com",
  scopes: ["AccountService.*"],
  groups: [customer.id],
  otpFailures: 3,
  otpLockedUntil: 1_700_000_900_000,
  createdAt: 1,
};

export const transaction: TransactionRecord = {
  id: "transaction-1",
  institutionId: bank.id,
  referenceId: "reference-1",
  customerId: customer.id,
  status: "PENDING",
  currency: "USD",
  amountMinor: 12_345n,
  debtorAccountId: account.id,
  creditorAccountId: account.id,
  documentJson: `{"TimeStamp":"2026-01-01T00:00:00+03:00","InstructedAmount":{"Amount":123.45}}`,
  contentHash: "ab".repeat(32),
  createdAt: 1,
  updatedAt: 2,
};

/** A plain account: zero amounts, and what a test says. */
export function accountWith(id: string, fields: Partial<AccountRecord> = {}): AccountRecord {
  const zero = { holdMinor: 0n, preAuthMinor: 0n, minimumMinor: 0n };
  return { ...account, ...zero, id, number: `number of ${id}`, ...fields };
}

export function transactionWith(id: string, fields: Partial<TransactionRecord> = {}): TransactionRecord {
  return { ...transaction, id, referenceId: `reference of ${id}`, ...fields };
}

/** The postings of a transaction from its legs: account and amount. */
export function postingsOf(
  transactionId: string,
  legs: readonly (readonly [accountId: string, amountMinor: bigint])[],
  fields: Partial<PostingRecord> = {},
): readonly PostingRecord[] {
  return legs.map(([accountId, amountMinor], index) => ({
    id: `${transactionId}/${index}`,
    institutionId: bank.id,
    transactionId,
    accountId,
    currency: "USD",
    amountMinor,
    createdAt: 1,
    ...fields,
  }));
}

/**
 * What is wrong with ledgers and chains. Samples are not books that agree in all: their transactions were not recorded
 * by a handler.
 */
export function ledgerFindings({ findings }: Pick<LedgerVerification, "findings">): readonly Finding[] {
  const kinds: readonly FindingKind[] = ["file", "schema", "reference", "balance", "sum", "chain", "root"];
  return findings.filter(({ kind }) => kinds.includes(kind));
}

export const mail: OutboxMailRecord = {
  id: "m",
  institutionId: bank.id,
  kind: "portal-login",
  recipientId: "rep",
  messageSealed: "sealed",
  state: "PENDING",
  attempts: 0,
  failures: 0,
  dueAt: 10,
  createdAt: 5,
};

/** Writes what most records refer to. */
export async function insertParties(tx: Writes): Promise<void> {
  await tx.insert(institutions, bank);
  await tx.insert(institutions, otherBank);
  await tx.insert(customers, customer);
  await tx.insert(legalReps, legalRep);
  await tx.insert(accounts, account);
  await tx.insert(users, user);
}
