import type { OperatorClient } from "../../generated/operator/client/index.ts";
import type { FormWords, ReadSuggestions } from "../console/suggestions.ts";

const atOnce = 200;
const accountsAtOnce = 100;

/** What the bank's forms offer beside users. */
export function bankWords(client: OperatorClient): FormWords {
  const customers: ReadSuggestions = async () =>
    (await client.listCustomers({ pageSize: atOnce })).customers.map(({ customerId, name }) => ({
      value: customerId,
      label: name,
    }));
  const accounts: ReadSuggestions = async () =>
    (await client.listAccounts({ pageSize: accountsAtOnce })).accounts.map(
      ({ number, name, customerName }) => ({ value: number, label: `${name}, ${customerName}` }),
    );
  return {
    makeUsers: ["IssueCredential", "InviteUser"],
    fields: new Map([
      ["customerId", customers],
      ["CustomerId", customers],
      ["customerIds", customers],
      ["accountNumber", accounts],
      ["AccountNumber", accounts],
    ]),
  };
}
