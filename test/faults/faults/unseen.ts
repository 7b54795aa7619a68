import { memberOf } from "../../../conformance/request/access.ts";
import { eachMember, inErrors, inResults, patch, type AnswerUnderFault, type Fault } from "../fault.ts";

const statuses = new Map<unknown, unknown>();
const names = new Map<unknown, unknown>();

/** A repeated AddAccount gives the account's present status. */
function withPresentStatus({ json, method }: AnswerUnderFault): unknown {
  const result = memberOf(json, "result");
  if (method === "AccountService.UpdateAccountStatus")
    statuses.set(memberOf(result, "AccountNumber"), memberOf(result, "Status"));
  if (method !== "CustomerService.AddAccount") return json;
  const status = statuses.get(memberOf(result, "accountNumber"));
  return eachMember(json, (name, value) => (name === "status" ? (status ?? value) : value));
}

/** The name that a customer had when one of its accounts was read first. */
function withFirstName({ json, method }: AnswerUnderFault): unknown {
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
    says: "A repeated AddAccount is answered with what the account has become.",
    answer: withPresentStatus,
  },
  {
    id: "repetition-forgotten",
    layer: "handlers",
    says: "A repetition after three seconds opens another account.",
    patches: patch(
      "runtime/pipeline/dispatch/idempotency-records.ts",
      "const rememberedMs = 24 * 60 * 60 * 1000;",
      "const rememberedMs = 3000;",
    ),
  },
  {
    id: "otp-of-an-hour",
    layer: "handlers",
    says: "A one-time password is valid for an hour.",
    patches: patch("runtime/domain/one-time-password.ts", "validMs: 5 * 60_000,", "validMs: 60 * 60_000,"),
  },
  {
    id: "cents-of-large-balances",
    layer: "encode",
    says: "Balances of a million millions and more lose their cents.",
    answer: inResults("all", (_name, value) =>
      typeof value === "number" && value >= 1e12 ? Math.floor(value) : value,
    ),
  },
  {
    id: "stale-customer-name",
    layer: "handlers",
    says: "An account has the name that its customer had when it was first read.",
    answer: withFirstName,
  },
  {
    id: "sql-in-data",
    layer: "encode",
    says: "The data of an error holds the statement that failed.",
    answer: inErrors((name, value) =>
      name === "data" && typeof value === "object"
        ? { ...value, message: "INSERT INTO accounts (id) VALUES (?): no such row" }
        : value,
    ),
  },
  {
    id: "html-content-type",
    layer: "transport",
    says: "Every answer says that it is a page.",
    patches: patch(
      "runtime/http/send-response.ts",
      '"Content-Type": "application/json; charset=utf-8",',
      '"Content-Type": "text/html; charset=utf-8",',
    ),
  },
];
