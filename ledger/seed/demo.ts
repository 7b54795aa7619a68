import type { LedgerHandlers } from "../../generated/ledger/handlers.ts";
import type { OperatorHandlers } from "../../generated/operator/handlers.ts";
import type { CreditorAccount } from "../../generated/operator/types.ts";
import { auditedBySystem } from "../../runtime/store/audit/index.ts";
import { decimal, type Contexts } from "../../runtime/contract/index.ts";
import { accountNumberDraws } from "../domain/accounts.ts";
import { oneTimePasswordLimits, hashOneTimePassword } from "../handlers/services/users.ts";
import { newApiKey } from "../../runtime/operations/admin/index.ts";
import { documentedRealm } from "../handlers/services/realms.ts";
import type { Pipeline } from "../../runtime/pipeline/index.ts";
import type { Clock, Sealer, Store, Writes } from "../../runtime/store/ports/index.ts";
import { type Access, type Identity, createOperator } from "./access.ts";
import { addExamples } from "./examples.ts";
import * as known from "./identifiers.ts";
import type { PlannedIds } from "../../runtime/operations/system/index.ts";
import { newKeyPair, signedCalls, type SignedCall } from "./signed-calls.ts";
import { userByName, users, apiKeys, registrations } from "../../runtime/store/tables/index.ts";

/** Routing number of the demo bank. */
export const demoInstitutionId = "091311229";
export const demoUserName = "demo";
export const demoOperatorName = "operator";

export interface SeedParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: PlannedIds;
  readonly sealer: Sealer;
  /** By the name of the interface. */
  readonly pipelines: ReadonlyMap<string, Pipeline>;
}

function pipelineOf({ pipelines }: SeedParts, name: string): Pipeline {
  const pipeline = pipelines.get(name);
  if (pipeline === undefined)
    throw new Error(`the service has no ${name} interface to add demo data through`);
  return pipeline;
}

/** Whether the store holds demo data, be it from a run that was interrupted. */
export async function isSeeded({ store }: Pick<SeedParts, "store">): Promise<boolean> {
  return (await store.read((view) => view.one(userByName, demoOperatorName))) !== undefined;
}

/**
 * Adds a small bank to an empty store, by the interfaces' own signed operations, and says how to reach it. Its
 * identifiers are those of the spec's examples, so each example is answered. The addresses are filled in once the
 * service listens.
 */
export async function seedDemo(parts: SeedParts): Promise<Access> {
  const operator = await addDemoOperator(parts);
  const operate = signedCalls<OperatorHandlers<Contexts>>(pipelineOf(parts, "operator"), operator);
  const demo = await addDemoUser(parts, operate);
  const call = signedCalls<LedgerHandlers<Contexts>>(pipelineOf(parts, "ledger"), demo);
  const { ids } = parts;

  await addCategories(operate);
  ids.plan({ ids: [known.sourceId] });
  await operate("CreateSource", { source: known.source, events: offeredEvents, keyIds: [demo.keyId] });
  await addCustomers(ids, operate);
  await addAccounts(ids, call);
  await addBeneficiary(ids, operate);
  await recordTransactions(parts, operate);
  await recordExamples(parts, operate);
  await addRegistration(parts);
  await addExamples({
    ...parts,
    institutionId: demoInstitutionId,
    operate,
    userName: demoUserName,
  });

  return {
    baseUrl: "",
    operatorUrl: "",
    ...demo,
    operator,
    samples: {
      accountId: known.accountId,
      accountNumber: known.accountNumber,
      businessCustomerId: known.businessId,
      consumerCustomerId: known.consumerId,
      legalRepId: known.legalRepId,
      shareHolderId: known.shareHolderId,
      beneficiaryId: known.beneficiaryId,
      referenceId: "INT-DEMO-0002",
      sourceId: known.sourceId,
      source: known.source,
      accountCategory: known.category,
    },
  };
}

async function addCategories(operate: OperatorCall): Promise<void> {
  await operate("CreateCategory", { name: known.category, description: "Everyday account of a business" });
  await operate("CreateCategory", {
    name: known.otherCategory,
    description: "Checking for businesses with large balances",
  });
  await operate("CreateCategory", { name: "Personal Savings", description: "Savings account of a person" });
}

/** The first of them opens the account that stands for parties outside the bank, too. */
async function addAccounts(ids: PlannedIds, call: LedgerCall): Promise<void> {
  ids.plan({
    ids: [known.poolId],
    integers: [...accountNumberDraws(known.clearingNumber), ...accountNumberDraws(known.poolNumber)],
  });
  await call("CustomerService.AddAccount", {
    customerID: known.businessId,
    name: "Northwind pool account",
    accountType: "CHECKING",
    currency: "USD",
  });
  ids.plan({ ids: [known.accountId], integers: [...accountNumberDraws(known.accountNumber)] });
  await call("CustomerService.AddAccount", {
    customerID: known.businessId,
    name: "Northwind operating account",
    accountType: "CHECKING",
    legalReps: [{ ID: known.legalRepId, name: "Johanna Lindqvist" }],
    currency: "USD",
  });
  await call("AccountService.UpdateAccountCategory", {
    AccountNumber: known.accountNumber,
    AccountCategory: known.category,
  });
  ids.plan({ integers: [...accountNumberDraws(known.settlementNumber)] });
  await call("CustomerService.AddAccount", {
    customerID: known.businessId,
    name: "Northwind settlement account",
    accountType: "CHECKING",
    currency: "USD",
  });
  ids.plan({ ids: [known.savingsId], integers: [...accountNumberDraws(known.savingsNumber)] });
  await call("CustomerService.AddAccount", {
    customerID: known.consumerId,
    name: "Ines's savings",
    accountType: "SAVINGS",
    currency: "USD",
  });
}

const offeredEvents = [
  { name: "Transaction.NEW", description: "Transaction created" },
  { name: "Transaction.UPDATE", description: "Transaction status updated" },
  { name: "Account.NEW", description: "New account created" },
  { name: "Account.UPDATE", description: "Account status updated" },
] as const;

async function addBeneficiary(ids: PlannedIds, operate: OperatorCall): Promise<void> {
  ids.plan({ ids: [known.beneficiaryId] });
  await operate("AddBeneficiary", {
    accountId: known.accountId,
    legalRepId: known.legalRepId,
    type: "INDIVIDUAL",
    firstName: "Maya",
    lastName: "Okafor",
    accountNumber: "4402317756",
    accountType: "S",
    contact: { email: "maya.okafor@example.com", phoneNumber: "+12025550143" },
    address: { country: "US" },
    bankAddress: { line1: "1 Harbor Way", city: "Boston", zipCode: "02110", country: "US" },
    bankDetail: { idType: "ABA", ID: "011000138", bankName: "Harbor National Bank" },
    uSCorrespondentBankID: "021000021",
    channel: "ACH",
  });
}

type OperatorCall = SignedCall<OperatorHandlers<Contexts>>;
type LedgerCall = SignedCall<LedgerHandlers<Contexts>>;

async function addDemoOperator(parts: SeedParts): Promise<Identity> {
  const userName = demoOperatorName;
  const { privateKeyPem, publicKeyPem } = newKeyPair();
  const { apiKey, keyId } = await createOperator(parts, {
    institutionId: demoInstitutionId,
    institutionName: "First Meridian Bank",
    userName,
    email: "operator@localhost",
    publicKeyPem,
  });
  return { userName, apiKey, keyId, privateKeyPem };
}

/** The one user whose name does not begin with the institution: it is easy to type. */
async function addDemoUser(parts: SeedParts, operate: OperatorCall): Promise<Identity> {
  const userName = demoUserName;
  const { privateKeyPem, publicKeyPem } = newKeyPair();
  const { record, issued } = newApiKey(parts, userName, undefined);
  await asSystem(parts, async (tx) => {
    await tx.insert(users, {
      userName,
      institutionId: demoInstitutionId,
      realm: documentedRealm,
      email: "demo@localhost",
      scopes: ["*"],
      otpFailures: 0,
      createdAt: record.createdAt,
    });
    await tx.insert(apiKeys, record);
  });
  parts.ids.plan({ ids: [known.keyId] });
  const key = await operate("RegisterKey", { userName, PublicKey: publicKeyPem });
  return { userName, apiKey: issued.apiKey, keyId: key("KeyId"), privateKeyPem };
}

async function addCustomers(ids: PlannedIds, operate: OperatorCall): Promise<void> {
  ids.plan({ ids: [known.businessId, known.consumerId, known.beneficialOwnerId] });
  await operate("CreateCustomer", {
    type: "BUSINESS",
    businessNameLegal: "Northwind Traders LLC",
    dateEstablished: "20110405",
    generalBusinessDescription: "Import and wholesale of specialty food",
    monthlyProjection: { amount: decimal("250000"), currency: "USD" },
    identification: [{ type: "TIN", value: "900700001" }],
    contact: { email: "office@northwind.example", phoneNumber: "+14155550111" },
    address: {
      addressLine1: "400 Market Street",
      city: "San Francisco",
      state: "CA",
      country: "US",
      zip: "94111",
    },
  });
  await operate("CreateCustomer", {
    type: "CONSUMER",
    name: "Ines Carvalho",
    dateOfBirth: "19920817",
    identification: [{ type: "SSN", value: "900232345" }],
    contact: { email: "ines@carvalho.example", phoneNumber: "+12125550166" },
    address: {
      addressLine1: "77 Hudson Street",
      city: "New York",
      state: "NY",
      country: "US",
      zip: "10013",
    },
  });
  await operate("CreateCustomer", { type: "CONSUMER", name: "Elin Lindqvist", dateOfBirth: "20150302" });
  const customerId = known.businessId;
  ids.plan({ ids: [known.legalRepId, known.otherLegalRepId, known.shareHolderId] });
  await operate("AddLegalRep", {
    customerId,
    name: "Johanna Lindqvist",
    email: "j.lindqvist@northwind.example",
    phoneNumber: "+14155550122",
  });
  await operate("AddLegalRep", { customerId, name: "Samuel Osei", email: "s.osei@northwind.example" });
  await operate("AddShareHolder", {
    customerId,
    name: "Tomas Berg",
    identification: { type: "SSN", value: "900112233" },
    contact: { email: "t.berg@northwind.example", phoneNumber: "+14155550133" },
    address: { country: "US", addressLine1: "12 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
    ownershipPercent: "40",
  });
}

/** The creditor's side of the transfer, with every field that the interface has. */
const dividendReceiver = {
  IdentificationType: "SAVINGS",
  CardNumber: "4000000000000002",
  Reference: "Northwind dividend",
  ExpiryDate: "2031-08",
  Party: {
    Name: "Ines Carvalho",
    Identification: "900232345",
    IdentificationType: "SSN",
    DateOfBirth: "19920817",
    Address: {
      Line1: "77 Hudson Street",
      Line2: "Apartment 4",
      TownName: "New York",
      PostCode: "10013",
      State: "NY",
      Country: "US",
    },
  },
} as const satisfies Partial<CreditorAccount>;

const invoiceReceiver = {
  IdentificationType: "SAVINGS",
  Reference: "Northwind invoice 117",
  Party: {
    Name: "Maya Okafor",
    Identification: "900451234",
    IdentificationType: "SSN",
    DateOfBirth: "19850921",
    Address: {
      Line1: "9 Commonwealth Avenue",
      Line2: "Floor 2",
      TownName: "Boston",
      PostCode: "02116",
      State: "MA",
      Country: "US",
    },
  },
} as const satisfies Partial<CreditorAccount>;

const business = { AccountNumber: known.accountNumber, InstitutionId: demoInstitutionId };
const savings = { AccountNumber: known.savingsNumber, InstitutionId: demoInstitutionId };
const outside = { AccountNumber: "4402317756", InstitutionId: "011000138" };

/**
 * A deposit from outside, a transfer between the two accounts with all that the record can say, and a payment still
 * pending.
 */
async function recordTransactions({ clock }: SeedParts, operate: OperatorCall): Promise<void> {
  const shared = { CustomerId: known.businessId, TimeStamp: new Date(clock.now()).toISOString() };
  await operate("RecordTransaction", {
    ...shared,
    type: "RTP_IN",
    mode: "PG",
    Status: "COMPLETED",
    ReferenceId: "RTP-DEMO-0001",
    credit: true,
    InstructedAmount: { Amount: decimal("15230.25"), Currency: "USD" },
    DebtorAccount: outside,
    CreditorAccount: business,
  });
  await operate("RecordTransaction", {
    ...shared,
    type: "INTERNAL_TRANSFER",
    mode: "PG",
    Status: "COMPLETED",
    ReferenceId: "INT-DEMO-0002",
    credit: false,
    InstructedAmount: { Amount: decimal("1200"), Currency: "USD" },
    Fees: [{ Amount: decimal("1.4"), Currency: "USD", Tax: decimal("0.1") }],
    DebtorAccount: {
      ...business,
      Reference: "Dividend 2026",
      Party: { AccountVerificationId: "AV-DEMO-01", KycId: "KYC-DEMO-01" },
      IdentificationType: "CHECKING",
    },
    CreditorAccount: { ...savings, ...dividendReceiver },
  });
  await operate("RecordTransaction", {
    ...shared,
    type: "ACH_OUT",
    mode: "ACH",
    Status: "PENDING",
    ReferenceId: "ACH-DEMO-0003",
    credit: false,
    InstructedAmount: { Amount: decimal("75"), Currency: "USD" },
    DebtorAccount: business,
    CreditorAccount: outside,
  });
}

/** The transactions that the examples ask for. */
async function recordExamples({ clock, ids }: SeedParts, operate: OperatorCall): Promise<void> {
  await recordDeposit(operate);
  const TimeStamp = new Date(clock.now()).toISOString();
  ids.plan({ ids: [known.invoice.transactionId] });
  await operate("RecordTransaction", {
    type: "ACH_OUT",
    mode: "ACH",
    Status: "COMPLETED",
    ReferenceId: known.invoice.referenceId,
    CustomerId: known.businessId,
    TimeStamp,
    credit: false,
    InstructedAmount: { Amount: decimal("1249.5"), Currency: "USD" },
    Fees: [
      {
        Amount: decimal("1.25"),
        Currency: "USD",
        TransactionNumber: known.invoice.feeNumber,
        Tax: decimal("0.1"),
      },
    ],
    DebtorAccount: {
      ...business,
      Reference: "Invoice 117",
      Party: { AccountVerificationId: "AV-55120", KycId: "KYC-90133" },
      IdentificationType: "CHECKING",
    },
    CreditorAccount: { ...outside, ...invoiceReceiver },
  });
  ids.plan({ ids: [known.cardPayment.transactionId] });
  await operate("RecordTransaction", {
    type: "CARDPAY",
    mode: "PG",
    Status: "PENDING",
    ReferenceId: known.cardPayment.referenceId,
    CustomerId: known.consumerId,
    TimeStamp,
    credit: false,
    InstructedAmount: { Amount: decimal("24.9"), Currency: "USD" },
    DebtorAccount: savings,
    CreditorAccount: {
      AccountNumber: "7719002345",
      InstitutionId: "121000358",
      CardNumber: "4000000000000002",
      ExpiryDate: "2029-08",
    },
  });
}

/** As an example records it: recorded again, it is answered with what there is. */
async function recordDeposit(operate: OperatorCall): Promise<void> {
  await operate("RecordTransaction", {
    type: "RTP_IN",
    mode: "PG",
    Status: "COMPLETED",
    ReferenceId: "RTP-2026-004410",
    CustomerId: known.businessId,
    TimeStamp: "2026-03-02T11:15:27.000-05:00",
    credit: true,
    InstructedAmount: { Amount: decimal("980.4"), Currency: "USD" },
    DebtorAccount: outside,
    CreditorAccount: {
      ...business,
      AccountNumber: known.settlementNumber,
      IdentificationType: "CHECKING",
      Party: { Name: "Northwind Traders LLC" },
    },
  });
}

/** A device registration that was started: its one-time password is in the examples, so no mail is needed. */
async function addRegistration(parts: SeedParts): Promise<void> {
  const { clock } = parts;
  const { otpToken, otp } = known.registration;
  const record = {
    otpToken,
    userName: demoUserName,
    otpHash: hashOneTimePassword(otpToken, otp),
    failures: 0,
    expiresAt: clock.now() + oneTimePasswordLimits.validMs,
    createdAt: clock.now(),
  };
  await asSystem(parts, (tx) => tx.insert(registrations, record));
}

function asSystem({ store, clock }: SeedParts, work: (tx: Writes) => Promise<void>): Promise<void> {
  const by = { institutionId: demoInstitutionId, operation: "ledger-server seed", clock };
  return store.write((tx) => work(auditedBySystem(tx, by)));
}
