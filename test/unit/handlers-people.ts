import type { Bank } from "./handlers-bank.ts";

export interface Business {
  readonly customerId: string;
  readonly legalRepId: string;
  readonly shareHolderId: string;
}

/** A business with a representative and a shareholder, created through the operator interface. */
export async function openBusiness(bank: Bank, by?: string): Promise<Business> {
  const { customerId } = await created(bank, "CreateCustomer", northwind, by);
  const { legalRepId } = await created(bank, "AddLegalRep", { customerId, ...johanna }, by);
  const { shareHolderId } = await created(bank, "AddShareHolder", { customerId, ...arturo }, by);
  return { customerId, legalRepId, shareHolderId };
}

/** A consumer, created through the operator interface. */
export async function openConsumer(bank: Bank, by?: string): Promise<string> {
  const { customerId } = await created(bank, "CreateCustomer", ines, by);
  return customerId;
}

export interface OpenedAccount {
  readonly ID: string;
  readonly accountNumber: string;
}

/** An account of a customer, opened through the documented interface. */
export async function openAccount(
  bank: Bank,
  customerID: string,
  details: object = {},
): Promise<OpenedAccount> {
  const standard = { customerID, name: "Account", accountType: "CHECKING", currency: "USD" };
  const answer = await bank.ledger("CustomerService.AddAccount", { ...standard, ...details });
  if (answer.error !== undefined) throw new Error(answer.text);
  return answer.result;
}

async function created(bank: Bank, method: string, payload: object, by?: string) {
  const answer = await bank.operator(method, payload, by);
  if (answer.error !== undefined) throw new Error(answer.text);
  return answer.result;
}

export const northwind = {
  type: "BUSINESS",
  businessNameLegal: "Northwind Traders LLC",
  dateEstablished: "20110405",
  generalBusinessDescription: "Import of specialty food",
  monthlyProjection: { amount: 250000.5, currency: "USD" },
  identification: [{ type: "TIN", value: "900700001" }],
  contact: { email: "office@northwind.example", phoneNumber: "+14155550111" },
  address: {
    addressLine1: "400 Market Street",
    city: "San Francisco",
    state: "CA",
    country: "US",
    zip: "94111",
  },
};

export const johanna = {
  name: "Johanna Lindqvist",
  email: "johanna@northwind.example",
  phoneNumber: "+14155550122",
};

export const arturo = {
  name: "Arturo Benedetti",
  identification: { type: "SSN", value: "900121234" },
  contact: { email: "arturo@northwind.example", phoneNumber: "+14155550137" },
  address: { country: "US", addressLine1: "12 Oak Street", city: "Oakland", state: "CA", zip: "94607" },
  ownershipPercent: "25",
  dateOfBirth: "19770630",
};

export const ines = {
  type: "CONSUMER",
  name: "Ines Carvalho",
  dateOfBirth: "19920817",
  identification: [{ type: "SSN", value: "900232345" }],
};
