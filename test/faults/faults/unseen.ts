import { memberOf } from "../../../conformance/values/index.ts";
import { eachMember, inErrors, inResults, type ResponseUnderFault, type Fault } from "../fault.ts";

const statuses = new Map<unknown, unknown>();
const names = new Map<unknown, unknown>();

/** A repeated AddAccount gives the account's present status. */
function withPresentStatus({ json, method }: ResponseUnderFault): unknown {
  const result = memberOf(json, "result");
  if (method === "AccountService.UpdateAccountStatus")
    statuses.set(memberOf(result, "AccountNumber"), memberOf(result, "Status"));
  if (method !== "CustomerService.AddAccount") return json;
  const status = statuses.get(memberOf(result, "accountNumber"));
  return eachMember(json, (name, value) => (name === "status" ? (status ?? value) : value));
}

/** The name that a customer had when one of its accounts was read first. */
function withFirstName({ json, method }: ResponseUnderFault): unknown {
  const account = memberOf(memberOf(json, "result"), "account");
  if (method !== "AccountService.GetAccount" || account === undefined) return json;
  const customer = memberOf(account, "customerID");
  if (!names.has(customer)) names.set(customer, memberOf(account, "customerName"));
  return eachMember(json, (name, value) => (name === "customerName" ? names.get(customer) : value));
}

/** Faults that a trial from outside seeded, and that the suite did not see. */
export const unseenFaults: readonly Fault[] = [
  {
    id: "repetition-shows-the-present",
    layer: "handlers",
    description: "A repeated AddAccount is answered with what the account has become.",
    response: withPresentStatus,
  },
  {
    id: "cents-of-large-balances",
    layer: "encode",
    description: "Balances of a million millions and more lose their cents.",
    response: inResults("all", (_name, value) =>
      typeof value === "number" && value >= 1e12 ? Math.floor(value) : value,
    ),
  },
  {
    id: "stale-customer-name",
    layer: "handlers",
    description: "An account has the name that its customer had when it was first read.",
    response: withFirstName,
  },
  {
    id: "sql-in-data",
    layer: "encode",
    description: "The data of an error holds the statement that failed.",
    response: inErrors((name, value) =>
      name === "data" && typeof value === "object"
        ? { ...value, message: "INSERT INTO accounts (id) VALUES (?): no such row" }
        : value,
    ),
  },
];
