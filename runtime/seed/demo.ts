import type { LedgerHandlers } from "../../generated/ledger/handlers.ts";
import type { OperatorHandlers } from "../../generated/operator/handlers.ts";
import type { CreditorAccount } from "../../generated/operator/types.ts";
import { decimal, type Contexts } from "../contract/index.ts";
import type { Pipeline } from "../pipeline/index.ts";
import type { Clock, IdSource, Store } from "../ports/index.ts";
import type { Access, Identity } from "./access.ts";
import { createOperator } from "./operator.ts";
import { newKeyPair, signedCalls, type SignedCall } from "./signed-calls.ts";

/** Routing number of the demo bank. */
export const demoInstitutionId = "091311229";
export const demoUserName = "demo";
export const demoOperatorName = "operator";

export interface SeedParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
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
  return (await store.read((view) => view.users.find(demoOperatorName))) !== undefined;
}

/**
 * Adds a small bank to an empty store, by the interfaces' own signed operations, and says how to reach it. The
 * addresses are filled in once the service listens.
 */
export async function seedDemo(parts: SeedParts): Promise<Access> {
  const operator = await addDemoOperator(parts);
  const operate = signedCalls<OperatorHandlers<Contexts>>(pipelineOf(parts, "operator"), operator);
  const demo = await addDemoUser(operate);
  const call = signedCalls<LedgerHandlers<Contexts>>(pipelineOf(parts, "ledger"), demo);

  const category = await addCategories(operate);
  const source = await operate("CreateSource", {
    source: "CORE_LEDGER",
    events: offeredEvents,
    keyIds: [demo.keyId],
  });
  const { businessCustomerId, consumerCustomerId, legalRepId, shareHolderId } = await addCustomers(operate);

  const account = await call("CustomerService.AddAccount", {
    customerID: businessCustomerId,
    name: "Northwind operating account",
    accountType: "CHECKING",
    legalReps: [{ ID: legalRepId, name: "Johanna Lindqvist" }],
    currency: "USD",
  });
  await call("AccountService.UpdateAccountCategory", {
    AccountNumber: account("accountNumber"),
    AccountCategory: category,
  });
  const savings = await call("CustomerService.AddAccount", {
    customerID: consumerCustomerId,
    name: "Ines's savings",
    accountType: "SAVINGS",
    currency: "USD",
  });
  const beneficiaryId = await addBeneficiary(operate, account("ID"), legalRepId);
  const referenceId = await recordTransactions(parts.clock, operate, {
    businessCustomerId,
    accountNumber: account("accountNumber"),
    savingsNumber: savings("accountNumber"),
  });

  return {
    baseUrl: "",
    operatorUrl: "",
    ...demo,
    operator,
    samples: {
      accountId: account("ID"),
      accountNumber: account("accountNumber"),
      businessCustomerId,
      consumerCustomerId,
      legalRepId,
      shareHolderId,
      beneficiaryId,
      referenceId,
      sourceId: source("sourceId"),
      source: source("source"),
      accountCategory: category,
    },
  };
}

/** The name of the category for businesses. */
async function addCategories(operate: OperatorCall): Promise<string> {
  const category = await operate("CreateCategory", {
    name: "Business Checking",
    description: "Everyday account of a business",
  });
  await operate("CreateCategory", { name: "Personal Savings", description: "Savings account of a person" });
  return category("name");
}

const offeredEvents = [
  { name: "Transaction.NEW", description: "Transaction created" },
  { name: "Transaction.UPDATE", description: "Transaction status updated" },
  { name: "Account.NEW", description: "New account created" },
  { name: "Account.UPDATE", description: "Account status updated" },
] as const;

async function addBeneficiary(operate: OperatorCall, accountId: string, legalRepId: string): Promise<string> {
  const beneficiary = await operate("AddBeneficiary", {
    accountId,
    legalRepId,
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
  return beneficiary("beneficiaryId");
}

type OperatorCall = SignedCall<OperatorHandlers<Contexts>>;

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

async function addDemoUser(operate: OperatorCall): Promise<Identity> {
  const { privateKeyPem, publicKeyPem } = newKeyPair();
  const credential = await operate("IssueCredential", { userName: demoUserName, email: "demo@localhost" });
  const key = await operate("RegisterKey", { userName: demoUserName, PublicKey: publicKeyPem });
  return { userName: demoUserName, apiKey: credential("apiKey"), keyId: key("KeyId"), privateKeyPem };
}

async function addCustomers(operate: OperatorCall) {
  const business = await operate("CreateCustomer", {
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
  const consumer = await operate("CreateCustomer", {
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
  const customerId = business("customerId");
  const legalRep = await operate("AddLegalRep", {
    customerId,
    name: "Johanna Lindqvist",
    email: "j.lindqvist@northwind.example",
    phoneNumber: "+14155550122",
  });
  const shareHolder = await operate("AddShareHolder", {
    customerId,
    name: "Tomas Berg",
    identification: { type: "SSN", value: "900112233" },
    contact: { email: "t.berg@northwind.example", phoneNumber: "+14155550133" },
    address: { country: "US", addressLine1: "12 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
    ownershipPercent: "40",
  });
  return {
    businessCustomerId: customerId,
    consumerCustomerId: consumer("customerId"),
    legalRepId: legalRep("legalRepId"),
    shareHolderId: shareHolder("shareHolderId"),
  };
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

/**
 * A deposit from outside, a transfer between the two accounts with all that the record can say, and a payment still
 * pending.
 */
async function recordTransactions(
  clock: Clock,
  operate: OperatorCall,
  on: { readonly businessCustomerId: string; readonly accountNumber: string; readonly savingsNumber: string },
): Promise<string> {
  const business = { AccountNumber: on.accountNumber, InstitutionId: demoInstitutionId };
  const savings = { AccountNumber: on.savingsNumber, InstitutionId: demoInstitutionId };
  const outside = { AccountNumber: "4402317756", InstitutionId: "011000138" };
  const shared = { CustomerId: on.businessCustomerId, TimeStamp: new Date(clock.now()).toISOString() };
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
  return "INT-DEMO-0002";
}
