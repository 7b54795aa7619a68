import { withHandler } from "../changes/handlers.ts";
import { faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import { customerById, shareHolderById } from "../../../ledger/tables/index.ts";

const setStatus = "AccountService.UpdateAccountStatus";
const addAccount = "CustomerService.AddAccount";
const shareHolder = "CustomerService.UpdateShareHolder";
const byReference = "TransactionService.GetTransactionsByRef";
const subscribe = "CreateSubscription";
const getSource = "GetSource";

const encode = faultOf("encode");
const handlers = faultOf("handlers");

/** The response with another id. */
const withId =
  (change: (id: string) => unknown): NonNullable<Fault["response"]> =>
  ({ json }) => {
    const { id } = Object(json);
    return typeof id === "string" ? { ...Object(json), id: change(id) } : json;
  };

/** A subscription of a name that there is already is answered with the identifier of the first. */
function subscriptionsByName(): ChangeOptions {
  const known = new Map<string, object>();
  return withHandler(subscribe, (sound) => async (payload, context) => {
    const name = String(payload["name"]);
    const result = await sound(payload, context);
    const answered = known.get(name) ?? result;
    known.set(name, answered);
    return answered;
  });
}

/** Faults written from the document alone, each a breach of a line of it, before the suite was looked at for them. */
export const sixthRoundFaults: readonly Fault[] = [
  encode("id-of-digits-as-number", "The id of a request that is all digits is echoed as a number.", {
    response: withId((id) => (/^\d{1,15}$/.test(id) ? Number(id) : id)),
  }),
  encode("id-without-outer-blanks", "The id of a request is echoed without the blanks around it.", {
    response: withId((id) => id.trim()),
  }),
  handlers("status-named-after-customer", "UpdateAccountStatus names the customer, not the account.", {
    options: withHandler(setStatus, (sound) => async (payload, context) => {
      const result = { ...(await sound(payload, context)) };
      const { caller, store } = context;
      const customerId = String(Object(result).CustomerId);
      const customer = await store.one(customerById, caller.institutionId, customerId);
      return { ...result, Name: customer?.name ?? "" };
    }),
  }),
  encode("opened-at-the-customer", "AddAccount answers the customer's identifier as institutionID.", {
    response: ({ json, method, isError }) => {
      const { result } = Object(json);
      if (isError || method !== addAccount) return json;
      return { ...Object(json), result: { ...Object(result), institutionID: Object(result).customerID } };
    },
  }),
  handlers("subscriptions-by-name", "Two subscriptions of one name are answered with one identifier.", {
    options: subscriptionsByName(),
  }),
  encode("expiry-as-on-cards", "GetTransactionsByRef writes ExpiryDate as MM/YY.", {
    response: inResults([byReference], (name, value) =>
      name === "ExpiryDate" ? String(value).replace(/^\d\d(\d\d)-(\d\d)$/, "$2/$1") : value,
    ),
  }),
  encode("tax-in-amount", "The tax of a fee is in its amount, and answered as 0.", {
    response: inResults([byReference], (name, value) => {
      if (name !== "Fees" || !Array.isArray(value)) return value;
      return value.map((fee: unknown) => {
        const { Amount, Tax } = Object(fee);
        return typeof Tax === "number" ? { ...Object(fee), Amount: Number(Amount) + Tax, Tax: 0 } : fee;
      });
    }),
  }),
  handlers("former-email-answered", "UpdateShareHolder answers the e-mail address that it replaces.", {
    options: withHandler(shareHolder, (sound) => async (payload, context) => {
      const { caller, store } = context;
      const former = await store.one(shareHolderById, caller.institutionId, String(payload["Id"]));
      const email = former?.contact.email;
      const result = { ...(await sound(payload, context)) };
      return email === undefined ? result : { ...result, EmailID: email };
    }),
  }),
  encode("source-asked-by-name", "GetSource answers the name of a source as its id.", {
    response: ({ json, method, isError }) =>
      isError || method !== getSource ? json : { ...Object(json), id: Object(json).source },
  }),
];
