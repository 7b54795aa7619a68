import { RpcError } from "../../../runtime/contract/index.ts";
import { isMalformed, withPrincipal } from "../changes/authentication.ts";
import { withContext, withHandler } from "../changes/handlers.ts";
import { currentMethod, currentPayload } from "../current-request.ts";
import { each, faultOf, type AnyOptions, type ChangeOptions, type Fault } from "../fault.ts";
import { accountById } from "../../../ledger/tables/index.ts";

const fault = faultOf("authorize");

/** Users have other scopes than they were given. */
const withScopes = (change: (scopes: readonly string[], options: AnyOptions) => readonly string[]) =>
  withPrincipal(({ user, apiKeys }, options) => ({
    apiKeys,
    user: { ...user, scopes: change(user.scopes, options) },
  }));

/** Operations see every customer of the institution, whatever customers the credential is bound to. */
const seesAll = (...methods: readonly string[]): ChangeOptions =>
  each(
    ...methods.map((method) =>
      withContext(method, ({ caller }) => {
        const { groups: _all, ...others } = caller;
        return { caller: others };
      }),
    ),
  );

export const authorizeFaults: readonly Fault[] = [
  fault("scopes-ignored", "A credential may call everything, whatever its scopes.", {
    options: withScopes(() => ["*"]),
  }),
  fault("scopes-ignored-in-reads", "Scopes are checked only for operations that change something.", {
    options: withScopes((scopes, { interfaceDescriptor }) =>
      interfaceDescriptor.methods[currentMethod() ?? ""]?.effect === "read" ? ["*"] : scopes,
    ),
  }),
  fault("no-service-scopes", "A scope of a whole service allows nothing.", {
    options: withScopes((scopes) => scopes.filter((scope) => !scope.endsWith(".*"))),
  }),
  fault("payload-before-permission", "The payload is validated before the permission is.", {
    options: withScopes((scopes, options) =>
      isMalformed(options, currentMethod() ?? "", currentPayload()) ? ["*"] : scopes,
    ),
  }),
  fault("cross-customer-read", "Accounts of customers that the caller may not see are read.", {
    options: seesAll("AccountService.GetAccount"),
  }),
  fault("cross-customer-by-number", "Accounts of customers that the caller may not see are changed.", {
    options: seesAll("AccountService.UpdateAccountStatus", "AccountService.UpdateAccountCategory"),
  }),
  fault("cross-customer-list", "Accounts of customers that the caller may not see are listed.", {
    options: seesAll("AccountService.ListAccounts"),
  }),
  fault("cross-customer-customer", "Customers that the caller may not see are updated.", {
    options: seesAll("CustomerService.UpdateCustomer"),
  }),
  fault("cross-customer-legal-rep", "Legal representatives that the caller may not see are changed.", {
    options: seesAll("CustomerService.UpdateLegalRepStatus"),
  }),
  fault("cross-customer-transaction", "Transactions of customers that the caller may not see are found.", {
    options: seesAll("TransactionService.GetTransactionsByRef"),
  }),
  fault("cross-customer-beneficiary", "Beneficiaries of accounts that the caller may not see are read.", {
    options: seesAll("AccountService.GetBeneficiary"),
  }),
  fault("cross-customer-subscription", "A subscription may name accounts that the caller may not see.", {
    options: seesAll("CreateSubscription"),
  }),
  fault(
    "hidden-is-unauthorized",
    "A record that the caller may not see gets another error than a missing one.",
    {
      options: withHandler("AccountService.GetAccount", (sound) => async (payload, context) => {
        const { store, caller } = context;
        const stored = await store.one(accountById, caller.institutionId, String(payload["ID"]));
        return sound(payload, context).catch((error: unknown) => {
          throw stored === undefined ? error : new RpcError("UNAUTHORIZED");
        });
      }),
    },
  ),
];
