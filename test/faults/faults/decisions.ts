import { collectionsOf, withCollections } from "../changes/collections.ts";
import { withPayload, withResult, withTables, withHandler } from "../changes/handlers.ts";
import { unverified } from "../changes/authentication.ts";
import { withEvents } from "../changes/events.ts";
import { withText } from "../changes/requests.ts";
import { each, faultOf, type Fault } from "../fault.ts";

const fault = faultOf("handlers");
const addAccount = "CustomerService.AddAccount";
const setStatus = "AccountService.UpdateAccountStatus";

/** Faults that break the decisions after the first trial, D-47 … D-56. */
export const decisionFaults: readonly Fault[] = [
  {
    id: "control-characters-taken",
    layer: "decode",
    description: "Control characters in texts are dropped rather than refused (D-47).",
    pipeline: withText((text) => text.replaceAll(/\\u00(?:0[0-9a-f]|1[0-9a-f]|7f|[89][0-9a-f])/gi, "")),
    options: unverified(() => true),
  },
  fault("subscriptions-outlive-users", "A revoked user's subscriptions stay enabled (D-48).", {
    operatorOptions: withTables("RevokeCredential", ({ subscriptionTargets }) => ({
      subscriptionTargets: { ...subscriptionTargets, idsOfUser: () => Promise.resolve([]) },
    })),
  }),
  fault("only-own-transactions", "Only the customer who is named in a transaction may read it (D-49).", {
    options: withHandler("TransactionService.GetTransactionsByRef", (sound) => (payload, context) => {
      const { transactions } = collectionsOf(context.store);
      const { groups } = context.caller;
      const find: typeof transactions.findByReference = async (...key) => {
        const found = await transactions.findByReference(...key);
        return found === undefined || groups?.includes(found.customerId) === false ? undefined : found;
      };
      const store = withCollections(context.store, {
        transactions: { ...transactions, findByReference: find },
      });
      return sound(payload, { ...context, store });
    }),
  }),
  {
    ...fault("other-customer-told", "The notification names the other side's customer (D-49).", {}),
    ...withEvents(({ otherPayloads: _others, ...event }) => [event]),
    layer: "events",
  },
  fault("inactive-gets-login", "An INACTIVE legal representative gets a login (D-50).", {
    options: withTables("CustomerService.CreateLegalRepLogin", ({ legalReps }) => ({
      legalReps: {
        ...legalReps,
        async find(...key) {
          const found = await legalReps.find(...key);
          return found && { ...found, status: "ACTIVE" };
        },
      },
    })),
  }),
  fault("inactive-on-new-account", "An INACTIVE legal representative is put on a new account (D-50).", {
    options: withTables(addAccount, ({ legalReps }) => ({
      legalReps: {
        ...legalReps,
        async find(...key) {
          const found = await legalReps.find(...key);
          return found && { ...found, status: "ACTIVE" };
        },
      },
    })),
  }),
  fault("pool-of-any-status", "A pool account need not be ACTIVE (D-51).", {
    options: withTables(addAccount, ({ accounts }) => ({
      accounts: {
        ...accounts,
        async findByNumber(...key) {
          const found = await accounts.findByNumber(...key);
          return found && { ...found, status: "ACTIVE" };
        },
      },
    })),
  }),
  fault("pool-of-any-currency", "A pool account may have another currency (D-51).", {
    options: withTables(addAccount, ({ accounts }, payload) => ({
      accounts: {
        ...accounts,
        async findByNumber(...key) {
          const found = await accounts.findByNumber(...key);
          return found && { ...found, currency: String(payload["currency"]) };
        },
      },
    })),
  }),
  fault(
    "hidden-parent-in-full",
    "A pool account that the caller may not see is shown with its name (D-51).",
    {
      options: withResult("AccountService.GetAccount", ({ account }) => {
        const { parent, ...others } = Object(account);
        return { account: { ...others, ...(parent && { parent: { name: "Pool", code: "1", ...parent } }) } };
      }),
    },
  ),
  fault("another-institution-taken", "An update of a customer may name another institution (D-53).", {
    options: withPayload(
      "CustomerService.UpdateCustomer",
      ({ institutionId: _id, institutionName: _name, ...payload }) => payload,
    ),
  }),
  fault("empty-legal-reps-of-a-consumer", "An empty legalReps of a consumer is taken as absent (D-54).", {
    options: withPayload(addAccount, ({ legalReps, ...payload }) =>
      Array.isArray(legalReps) && legalReps.length > 0 ? { ...payload, legalReps } : payload,
    ),
  }),
  fault("callers-close-clearing", "A caller changes the status of the institution's own account (D-55).", {
    options: withTables(setStatus, ({ accounts }) => ({
      accounts: {
        ...accounts,
        async findByNumber(...key) {
          const { institutionOwned: _owned, ...found } = Object((await accounts.findByNumber(...key)) ?? {});
          return found.id === undefined ? undefined : found;
        },
      },
    })),
  }),
  fault("any-key-encoding", "A public key in an encoding that is not taken is registered as none (D-56).", {
    options: each(
      withHandler("KeyService.CompleteRegisterDevice", (sound) => async (payload, context) => {
        const { PublicKey: _key, ...others } = payload;
        return sound(payload, context).catch((error: unknown) => {
          if (Object(error).code !== "BAD_INPUT") throw error;
          return sound(others, context);
        });
      }),
    ),
  }),
];
