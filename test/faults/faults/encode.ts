import { errors } from "../../../generated/ledger/errors.ts";
import { inErrors, inResults, type Fault } from "../fault.ts";

const without =
  (...names: readonly string[]) =>
  (name: string, value: unknown): unknown =>
    names.includes(name) ? undefined : value;

/** A field that is missing from the results of an operation. */
function lacks(method: string, field: string): Fault {
  return {
    id: `lacks-${field.toLowerCase()}`,
    layer: "encode",
    description: `${method} answers without ${field}.`,
    response: inResults([method], without(field)),
  };
}

export const encodeFaults: readonly Fault[] = [
  {
    id: "jsonrpc-where-none-is",
    layer: "encode",
    description: "Every success has jsonrpc.",
    response: ({ json, isError }) =>
      isError || Array.isArray(json) ? json : { ...Object(json), jsonrpc: "2.0" },
  },
  {
    id: "jsonrpc-in-one",
    layer: "encode",
    description: "CreateLegalRepLogin answers with jsonrpc.",
    response: ({ json, method, isError }) =>
      method === "CustomerService.CreateLegalRepLogin" && !isError
        ? { ...Object(json), jsonrpc: "2.0" }
        : json,
  },
  {
    id: "jsonrpc-missing",
    layer: "encode",
    description: "UpdateShareHolder answers without jsonrpc.",
    response: ({ json, method, isError }) => {
      const { jsonrpc: _none, ...rest } = Object(json);
      return method === "CustomerService.UpdateShareHolder" && !isError ? rest : json;
    },
  },
  {
    id: "jsonrpc-as-number",
    layer: "encode",
    description: "jsonrpc is a number.",
    response: ({ json }) => ("jsonrpc" in Object(json) ? { ...Object(json), jsonrpc: 2 } : json),
  },
  {
    id: "jsonrpc-missing-in-errors",
    layer: "encode",
    description: "Errors are without jsonrpc.",
    response: ({ json, isError }) => {
      const { jsonrpc: _none, ...rest } = Object(json);
      return isError ? rest : json;
    },
  },
  {
    id: "result-beside-error",
    layer: "encode",
    description: "Errors have a result of null beside them.",
    response: ({ json, isError }) => (isError ? { ...Object(json), result: null } : json),
  },
  {
    id: "second-spelling-in-one",
    layer: "encode",
    description: "Beneficiaries have no legalRepId.",
    response: inResults(["AccountService.GetBeneficiary"], without("legalRepId")),
  },
  {
    id: "second-spelling-differs",
    layer: "encode",
    description: "Number of an account summary is not its number.",
    response: inResults(["AccountService.ListAccounts"], (name, value) =>
      name === "Number" ? `0${String(value)}` : value,
    ),
  },
  {
    id: "first-spelling-missing",
    layer: "encode",
    description: "Account summaries have Number and no number.",
    response: inResults(["AccountService.ListAccounts"], without("number")),
  },
  {
    id: "amounts-as-text",
    layer: "encode",
    description: "Balances are texts.",
    response: inResults(["AccountService.GetAccount"], (name, value) =>
      /balance/i.test(name) ? String(value) : value,
    ),
  },
  {
    id: "amounts-in-cents",
    layer: "encode",
    description: "Balances are in cents.",
    response: inResults("all", (name, value) =>
      /balance$/i.test(name) && typeof value === "number" ? value * 100 : value,
    ),
  },
  {
    id: "booleans-as-text",
    layer: "encode",
    description: "Truth values are texts.",
    response: inResults("all", (_name, value) => (typeof value === "boolean" ? String(value) : value)),
  },
  {
    id: "times-without-milliseconds",
    layer: "encode",
    description: "Times have no milliseconds.",
    response: inResults("all", (name, value) =>
      name.endsWith("Date") ? String(value).replace(/\.\d{3}Z$/, "Z") : value,
    ),
  },
  {
    id: "times-with-offset",
    layer: "encode",
    description: "Times have an offset of zero instead of Z.",
    response: inResults(["AccountService.GetAccount"], (name, value) =>
      name.endsWith("Date") ? String(value).replace(/Z$/, "+00:00") : value,
    ),
  },
  {
    id: "times-as-numbers",
    layer: "encode",
    description: "Times of sources are milliseconds.",
    response: inResults(["GetSource"], (name, value) =>
      name.endsWith("Date") ? Date.parse(String(value)) : value,
    ),
  },
  {
    id: "null-for-absent",
    layer: "encode",
    description: "What a beneficiary does not have is null.",
    response: inResults(["AccountService.GetBeneficiary"], (name, value) =>
      name === "result" ? { uSCorrespondentBankID: null, ...Object(value) } : value,
    ),
  },
  {
    id: "null-for-empty-list",
    layer: "encode",
    description: "An empty list is null.",
    response: inResults("all", (_name, value) => (Array.isArray(value) && value.length === 0 ? null : value)),
  },
  {
    id: "lower-case-status",
    layer: "encode",
    description: "Statuses are written in lower case.",
    response: inResults("all", (name, value) =>
      /^status$/i.test(name) ? String(value).toLowerCase() : value,
    ),
  },
  {
    id: "identifiers-as-numbers",
    layer: "encode",
    description: "Account numbers are numbers.",
    response: inResults(["CustomerService.AddAccount"], (name, value) =>
      name === "accountNumber" ? Number(value) : value,
    ),
  },
  {
    id: "account-not-nested",
    layer: "encode",
    description: "GetAccount answers the account itself as result.",
    response: inResults(["AccountService.GetAccount"], (name, value) =>
      name === "result" ? Object(value).account : value,
    ),
  },
  {
    id: "beneficiary-nested",
    layer: "encode",
    description: "GetBeneficiary answers the beneficiary within its result.",
    response: inResults(["AccountService.GetBeneficiary"], (name, value) =>
      name === "result" ? { beneficiary: value } : value,
    ),
  },
  {
    id: "beneficiaries-spelled-right",
    layer: "encode",
    description: "ListBeneficiary answers with beneficiaries.",
    response: inResults(["AccountService.ListBeneficiary"], (name, value) =>
      name === "result" ? { beneficiaries: Object(value).beneficiarys } : value,
    ),
  },
  {
    id: "names-in-camel-case",
    layer: "encode",
    description: "UpdateAccountStatus answers with names in camel case.",
    response: ({ json, method, isError }) =>
      method === "AccountService.UpdateAccountStatus" && !isError
        ? {
            ...Object(json),
            result: Object.fromEntries(
              Object.entries(Object(json).result).map(([name, value]) => [
                name.charAt(0).toLowerCase() + name.slice(1),
                value,
              ]),
            ),
          }
        : json,
  },
  {
    id: "flat-in-envelope",
    layer: "encode",
    description: "Flat operations answer with an envelope.",
    response: ({ json, method, isError }) =>
      !isError && (method === "GetSource" || method === "CreateSubscription")
        ? { id: "", result: json, jsonrpc: "2.0" }
        : json,
  },
  {
    id: "risk-score-as-text",
    layer: "encode",
    description: "riskScore is a text.",
    response: inResults(["AccountService.ListAccounts"], (name, value) =>
      name === "riskScore" ? `${String(value)}%` : value,
    ),
  },
  lacks("AccountService.GetAccount", "productID"),
  lacks("AccountService.GetAccount", "isGLVerify"),
  lacks("AccountService.ListAccounts", "riskScore"),
  lacks("CustomerService.UpdateCustomer", "updatedDate"),
  lacks("TransactionService.GetTransactionsByRef", "TransactionId"),
  lacks("CustomerService.UpdateLegalRepStatus", "createdDate"),
  lacks("KeyService.CompleteRegisterDevice", "Status"),
  lacks("CreateSubscription", "response"),
  {
    id: "undeclared-code",
    layer: "encode",
    description: "A missing account is reported by a code that nobody declared.",
    response: inErrors((name, value) =>
      name === "code" && value === "NOT_FOUND_ACCOUNT" ? "ACCOUNT_NOT_FOUND" : value,
    ),
  },
  {
    id: "code-of-another-operation",
    layer: "encode",
    description: "A missing shareholder is reported as a missing beneficiary.",
    response: inErrors((_name, value) =>
      value === "NOT_FOUND_SHAREHOLDER" ? "NOT_FOUND_BENEFICIARY" : value,
    ),
  },
  {
    id: "code-as-number",
    layer: "encode",
    description: "The code of an error is the number of JSON-RPC.",
    response: inErrors((name, value) => (name === "code" ? -32000 : value)),
  },
  {
    id: "other-message",
    layer: "encode",
    description: "A missing account is reported in other words.",
    response: inErrors((_name, value) =>
      value === errors.NOT_FOUND_ACCOUNT.message ? "There is no account" : value,
    ),
  },
  {
    id: "no-message",
    layer: "encode",
    description: "Errors have no message.",
    response: inErrors((name, value) => (name === "message" ? undefined : value)),
  },
  {
    id: "other-number",
    layer: "encode",
    description: "rpcCode is the same for all errors.",
    response: inErrors((name, value) => (name === "rpcCode" ? -32000 : value)),
  },
  {
    id: "errors-as-text",
    layer: "encode",
    description: "An error is its message alone.",
    response: ({ json, isError }) =>
      isError ? { ...Object(json), error: Object(json).error.message } : json,
  },
  {
    id: "internal-for-input",
    layer: "encode",
    description: "Wrong input of UpdateCustomer is reported as INTERNAL.",
    response: inErrors(
      (_name, value) => (value === "BAD_INPUT" ? "INTERNAL" : value),
      ["CustomerService.UpdateCustomer"],
    ),
  },
  {
    id: "server-error-status",
    layer: "encode",
    description: "Wrong input is answered with HTTP status 500.",
    status: ({ json, isError, status }) =>
      isError && status === 200 && Object(json).error.code === "BAD_INPUT" ? 500 : status,
  },
  {
    id: "other-reason",
    layer: "encode",
    description: "An unknown method is refused without saying so.",
    response: inErrors((_name, value) => (value === "unknown-method" ? "forbidden" : value)),
  },
  {
    id: "wrong-field",
    layer: "encode",
    description: "data.field is always the whole payload.",
    response: inErrors((name, value) => (name === "field" ? "/" : value)),
  },
  {
    id: "html-errors",
    layer: "encode",
    description: "Unparseable bodies are answered with a text that is no object.",
    response: ({ json, status }) => (status === 400 ? "Bad Request" : json),
  },
];
