import type { OperatorClient } from "../../generated/operator/client/index.ts";
import type { Suggest, Suggestion } from "../shared/suggestions.ts";

const atOnce = 200;
const accountsAtOnce = 100;

/** The values that fields of the operator's forms may have, as far as the operator may list them. */
export function suggestFor({ client }: { readonly client: OperatorClient }): (operation: string) => Suggest {
  const customers = async (): Promise<Suggestion[]> =>
    (await client.listCustomers({ pageSize: atOnce })).customers.map(({ customerId, name }) => ({
      value: customerId,
      label: name,
    }));
  const accounts = async (): Promise<Suggestion[]> =>
    (await client.listAccounts({ pageSize: accountsAtOnce })).accounts.map(
      ({ number, name, customerName }) => ({ value: number, label: `${name}, ${customerName}` }),
    );
  const users = async (): Promise<Suggestion[]> =>
    (await client.listUsers({ pageSize: atOnce })).users.map(({ userName, email }) => ({
      value: userName,
      label: email,
    }));
  const readers: ReadonlyMap<string, () => Promise<readonly Suggestion[]>> = new Map([
    ["customerId", customers],
    ["CustomerId", customers],
    ["customerIds", customers],
    ["accountNumber", accounts],
    ["AccountNumber", accounts],
    ["userName", users],
  ]);
  return (operation) => (field) => {
    // A new user has none of the names that there are.
    if (["IssueCredential", "InviteUser"].includes(operation) && field === "userName") return undefined;
    // Items of a list are called by its name and their number.
    return readers.get(field.replace(/ \d+$/, ""));
  };
}
