import { patch, type Fault } from "../fault.ts";

const visible = "runtime/handlers/services/scoped-reader.ts";
const authorize = "runtime/pipeline/authorize/authorize.ts";

export const authorizeFaults: readonly Fault[] = [
  {
    id: "scopes-ignored",
    layer: "authorize",
    says: "A credential may call everything, whatever its scopes.",
    patches: patch(authorize, "scopesAllow(scopes, name)", 'scopesAllow(["*"], name)'),
  },
  {
    id: "scopes-ignored-in-reads",
    layer: "authorize",
    says: "Scopes are looked at only by operations that change something.",
    patches: patch(authorize, "if (!names.some(", 'if (call.method.effect !== "read" && !names.some('),
  },
  {
    id: "no-service-scopes",
    layer: "authorize",
    says: "A scope of a whole service holds nothing.",
    patches: patch(
      authorize,
      "scopesAllow(scopes, ",
      'scopesAllow(scopes.filter((scope) => !scope.endsWith(".*")), ',
    ),
  },
  {
    id: "payload-before-permission",
    layer: "authorize",
    says: "The payload is validated before the permission is.",
    patches: patch(
      "runtime/pipeline/revision-pipeline.ts",
      "const valid = validate(authorize(authenticated, fault, scopesFor(route)));",
      "validate(authenticated);\n      const valid = validate(authorize(authenticated, fault, scopesFor(route)));",
    ),
  },
  {
    id: "cross-customer-read",
    layer: "authorize",
    says: "Accounts of customers that the caller may not see are read.",
    patches: patch(
      visible,
      "const account = async (id: string) => seen(caller, await store.accounts.find(institutionId, id));",
      "const account = (id: string) => store.accounts.find(institutionId, id);",
    ),
  },
  {
    id: "cross-customer-by-number",
    layer: "authorize",
    says: "Accounts of customers that the caller may not see are changed.",
    patches: patch(
      visible,
      "accountByNumber: async (number) => seen(caller, await store.accounts.findByNumber(institutionId, number)),",
      "accountByNumber: (number) => store.accounts.findByNumber(institutionId, number),",
    ),
  },
  {
    id: "cross-customer-list",
    layer: "authorize",
    says: "Accounts of customers that the caller may not see are listed.",
    patches: patch(
      "runtime/handlers/ledger/account-service/list-accounts.ts",
      "customerIds: context.caller.customerIds, ",
      "",
    ),
  },
  {
    id: "cross-customer-customer",
    layer: "authorize",
    says: "Customers that the caller may not see are updated.",
    patches: patch(
      visible,
      "return customer !== undefined && seesCustomer(caller, customer.id) ? customer : undefined;",
      "return customer;",
    ),
  },
  {
    id: "cross-customer-legal-rep",
    layer: "authorize",
    says: "Legal representatives of customers that the caller may not see are found.",
    patches: patch(
      visible,
      "legalRep: async (id) => seen(caller, await store.legalReps.find(institutionId, id)),",
      "legalRep: (id) => store.legalReps.find(institutionId, id),",
    ),
  },
  {
    id: "cross-customer-transaction",
    layer: "authorize",
    says: "Transactions of customers that the caller may not see are found.",
    patches: patch(
      visible,
      "      seen(caller, await store.transactions.findByReference(institutionId, referenceId)),",
      "      store.transactions.findByReference(institutionId, referenceId),",
    ),
  },
  {
    id: "cross-customer-beneficiary",
    layer: "authorize",
    says: "Beneficiaries of accounts that the caller may not see are read.",
    patches: patch(
      visible,
      "return (await account(beneficiary.accountId)) === undefined ? undefined : beneficiary;",
      "return beneficiary;",
    ),
  },
  {
    id: "hidden-is-unauthorized",
    layer: "authorize",
    says: "What the caller may not see is answered otherwise than what does not exist.",
    patches: patch(
      "runtime/handlers/ledger/account-service/get-account.ts",
      'if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/ID" });',
      'if (account === undefined && (await context.store.accounts.find(context.caller.institutionId, payload.ID)) !== undefined) throw context.error("UNAUTHORIZED");\n  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/ID" });',
    ),
  },
];
