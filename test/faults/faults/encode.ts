import { inErrors, inResults, patch, type Fault } from "../fault.ts";

const encode = "runtime/pipeline/encode/encode.ts";
const print = "runtime/pipeline/encode/print-result.ts";

const without =
  (...names: readonly string[]) =>
  (name: string, value: unknown): unknown =>
    names.includes(name) ? undefined : value;

/** A field that is missing from the results of an operation. */
function lacks(method: string, field: string): Fault {
  return {
    id: `lacks-${field.toLowerCase()}`,
    layer: "encode",
    says: `${method} answers without ${field}.`,
    answer: inResults([method], without(field)),
  };
}

export const encodeFaults: readonly Fault[] = [
  {
    id: "jsonrpc-where-none-is",
    layer: "encode",
    says: "Every success has jsonrpc.",
    patches: patch(encode, 'transport.jsonrpc ? \',"jsonrpc":"2.0"\' : ""', '\',"jsonrpc":"2.0"\''),
  },
  {
    id: "jsonrpc-in-one",
    layer: "encode",
    says: "CreateLegalRepLogin answers with jsonrpc.",
    answer: ({ json, method, isError }) =>
      method === "CustomerService.CreateLegalRepLogin" && !isError
        ? { ...Object(json), jsonrpc: "2.0" }
        : json,
  },
  {
    id: "jsonrpc-missing",
    layer: "encode",
    says: "UpdateShareHolder answers without jsonrpc.",
    answer: ({ json, method, isError }) => {
      const { jsonrpc: _none, ...rest } = Object(json);
      return method === "CustomerService.UpdateShareHolder" && !isError ? rest : json;
    },
  },
  {
    id: "jsonrpc-as-number",
    layer: "encode",
    says: "jsonrpc is a number.",
    answer: ({ json }) => ("jsonrpc" in Object(json) ? { ...Object(json), jsonrpc: 2 } : json),
  },
  {
    id: "jsonrpc-missing-in-errors",
    layer: "encode",
    says: "Errors are without jsonrpc.",
    answer: ({ json, isError }) => {
      const { jsonrpc: _none, ...rest } = Object(json);
      return isError ? rest : json;
    },
  },
  {
    id: "result-beside-error",
    layer: "encode",
    says: "Errors have a result of null beside them.",
    answer: ({ json, isError }) => (isError ? { ...Object(json), result: null } : json),
  },
  {
    id: "second-spelling-missing",
    layer: "encode",
    says: "Fields that are spelt two ways are sent under one name.",
    patches: patch(print, "if (field.secondKey !== undefined)", 'if (field.secondKey === "nothing")'),
  },
  {
    id: "second-spelling-in-one",
    layer: "encode",
    says: "Beneficiaries have no legalRepId.",
    answer: inResults(["AccountService.GetBeneficiary"], without("legalRepId")),
  },
  {
    id: "second-spelling-differs",
    layer: "encode",
    says: "Number of an account summary is not its number.",
    answer: inResults(["AccountService.ListAccounts"], (name, value) =>
      name === "Number" ? `0${String(value)}` : value,
    ),
  },
  {
    id: "first-spelling-missing",
    layer: "encode",
    says: "Account summaries have Number and no number.",
    answer: inResults(["AccountService.ListAccounts"], without("number")),
  },
  {
    id: "amounts-as-text",
    layer: "encode",
    says: "Balances are texts.",
    answer: inResults(["AccountService.GetAccount"], (name, value) =>
      /balance/i.test(name) ? String(value) : value,
    ),
  },
  {
    id: "amounts-in-cents",
    layer: "encode",
    says: "Balances are in cents.",
    answer: inResults("all", (name, value) =>
      /balance$/i.test(name) && typeof value === "number" ? value * 100 : value,
    ),
  },
  {
    id: "booleans-as-text",
    layer: "encode",
    says: "Truth values are texts.",
    answer: inResults("all", (_name, value) => (typeof value === "boolean" ? String(value) : value)),
  },
  {
    id: "times-without-milliseconds",
    layer: "encode",
    says: "Times have no milliseconds.",
    answer: inResults("all", (name, value) =>
      name.endsWith("Date") ? String(value).replace(/\.\d{3}Z$/, "Z") : value,
    ),
  },
  {
    id: "times-with-offset",
    layer: "encode",
    says: "Times have an offset of zero instead of Z.",
    answer: inResults(["AccountService.GetAccount"], (name, value) =>
      name.endsWith("Date") ? String(value).replace(/Z$/, "+00:00") : value,
    ),
  },
  {
    id: "times-as-numbers",
    layer: "encode",
    says: "Times of sources are milliseconds.",
    answer: inResults(["GetSource"], (name, value) =>
      name.endsWith("Date") ? Date.parse(String(value)) : value,
    ),
  },
  {
    id: "null-for-absent",
    layer: "encode",
    says: "What a beneficiary does not have is null.",
    answer: inResults(["AccountService.GetBeneficiary"], (name, value) =>
      name === "result" ? { uSCorrespondentBankID: null, ...Object(value) } : value,
    ),
  },
  {
    id: "null-for-empty-list",
    layer: "encode",
    says: "An empty list is null.",
    answer: inResults("all", (_name, value) => (Array.isArray(value) && value.length === 0 ? null : value)),
  },
  {
    id: "lower-case-status",
    layer: "encode",
    says: "Statuses are written in lower case.",
    answer: inResults("all", (name, value) => (/^status$/i.test(name) ? String(value).toLowerCase() : value)),
  },
  {
    id: "identifiers-as-numbers",
    layer: "encode",
    says: "Account numbers are numbers.",
    answer: inResults(["CustomerService.AddAccount"], (name, value) =>
      name === "accountNumber" ? Number(value) : value,
    ),
  },
  {
    id: "account-not-nested",
    layer: "encode",
    says: "GetAccount answers the account itself as result.",
    answer: inResults(["AccountService.GetAccount"], (name, value) =>
      name === "result" ? Object(value).account : value,
    ),
  },
  {
    id: "beneficiary-nested",
    layer: "encode",
    says: "GetBeneficiary answers the beneficiary within its result.",
    answer: inResults(["AccountService.GetBeneficiary"], (name, value) =>
      name === "result" ? { beneficiary: value } : value,
    ),
  },
  {
    id: "beneficiaries-spelled-right",
    layer: "encode",
    says: "ListBeneficiary answers with beneficiaries.",
    answer: inResults(["AccountService.ListBeneficiary"], (name, value) =>
      name === "result" ? { beneficiaries: Object(value).beneficiarys } : value,
    ),
  },
  {
    id: "names-in-camel-case",
    layer: "encode",
    says: "UpdateAccountStatus answers with names in camel case.",
    answer: ({ json, method, isError }) =>
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
    says: "Flat operations answer with an envelope.",
    answer: ({ json, method, isError }) =>
      !isError && (method === "GetSource" || method === "CreateSubscription")
        ? { id: "", result: json, jsonrpc: "2.0" }
        : json,
  },
  {
    id: "risk-score-as-text",
    layer: "encode",
    says: "riskScore is a text.",
    answer: inResults(["AccountService.ListAccounts"], (name, value) =>
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
    says: "A missing account is reported by a code that nobody declared.",
    answer: inErrors((name, value) =>
      name === "code" && value === "NOT_FOUND_ACCOUNT" ? "ACCOUNT_NOT_FOUND" : value,
    ),
  },
  {
    id: "code-of-another-operation",
    layer: "encode",
    says: "A missing shareholder is reported as a missing beneficiary.",
    answer: inErrors((_name, value) => (value === "NOT_FOUND_SHAREHOLDER" ? "NOT_FOUND_BENEFICIARY" : value)),
  },
  {
    id: "code-as-number",
    layer: "encode",
    says: "The code of an error is the number of JSON-RPC.",
    answer: inErrors((name, value) => (name === "code" ? -32000 : value)),
  },
  {
    id: "other-message",
    layer: "encode",
    says: "A missing account is reported in other words.",
    answer: inErrors((_name, value) =>
      value === "Account doesn't exists" ? "Account does not exist" : value,
    ),
  },
  {
    id: "no-message",
    layer: "encode",
    says: "Errors have no message.",
    answer: inErrors((name, value) => (name === "message" ? undefined : value)),
  },
  {
    id: "other-number",
    layer: "encode",
    says: "rpcCode is the same for all errors.",
    answer: inErrors((name, value) => (name === "rpcCode" ? -32000 : value)),
  },
  {
    id: "errors-as-text",
    layer: "encode",
    says: "An error is its message alone.",
    answer: ({ json, isError }) => (isError ? { ...Object(json), error: Object(json).error.message } : json),
  },
  {
    id: "internal-for-input",
    layer: "encode",
    says: "Wrong input of UpdateCustomer is reported as INTERNAL.",
    answer: inErrors(
      (_name, value) => (value === "BAD_INPUT" ? "INTERNAL" : value),
      ["CustomerService.UpdateCustomer"],
    ),
  },
  {
    id: "server-error-status",
    layer: "encode",
    says: "Wrong input is answered with HTTP status 500.",
    status: ({ json, isError, status }) =>
      isError && status === 200 && Object(json).error.code === "BAD_INPUT" ? 500 : status,
  },
  {
    id: "other-reason",
    layer: "encode",
    says: "An unknown method is refused without saying so.",
    answer: inErrors((_name, value) => (value === "unknown-method" ? "forbidden" : value)),
  },
  {
    id: "wrong-field",
    layer: "encode",
    says: "data.field is always the whole payload.",
    answer: inErrors((name, value) => (name === "field" ? "/" : value)),
  },
  {
    id: "html-errors",
    layer: "encode",
    says: "Unparseable bodies are answered with a text that is no object.",
    answer: ({ json, status }) => (status === 400 ? "Bad Request" : json),
  },
];
