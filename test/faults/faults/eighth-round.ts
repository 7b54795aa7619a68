import { collectionsOf, withCollections } from "../changes/collections.ts";
import { withHandler, withResult, type Payload } from "../changes/handlers.ts";
import { each, faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import {
  accountByNumber as accountByNumberQuery,
  accountById,
  shareHolderById,
  transactionById,
} from "../../../ledger/tables/index.ts";
import { registrationOf } from "../../../runtime/store/tables/index.ts";

const getAccount = "AccountService.GetAccount";
const getBeneficiary = "AccountService.GetBeneficiary";
const listBeneficiary = "AccountService.ListBeneficiary";
const setStatus = "AccountService.UpdateAccountStatus";
const updateCustomer = "CustomerService.UpdateCustomer";
const shareHolder = "CustomerService.UpdateShareHolder";
const legalRepStatus = "CustomerService.UpdateLegalRepStatus";
const registerDevice = "KeyService.CompleteRegisterDevice";
const byReference = "TransactionService.GetTransactionsByRef";

const encode = faultOf("encode");
const handlers = faultOf("handlers");
const events = faultOf("events");

/** The account of a result is changed. */
const accountRead = (change: (account: Payload) => object): ChangeOptions =>
  withResult(getAccount, (result) => ({ ...result, account: change({ ...Object(result["account"]) }) }));

/** UpdateAccountStatus answers as if there were an account of each number. */
const everyNumberUpdated: ChangeOptions = withHandler(setStatus, (sound) => async (payload, context) => {
  const { institutionId, userName } = context.caller;
  const number = String(payload["accountNumber"]);
  const stored = await context.store.one(accountByNumberQuery, institutionId, number);
  if (stored !== undefined) return sound(payload, context);
  return {
    CustomerId: userName,
    AccountNumber: number,
    InstitutionId: institutionId,
    Name: "Account",
    Status: payload["status"],
  };
});

/** The beneficiaries of a result are shown with the number of their account in place of its identifier. */
const accountByNumber: ChangeOptions = each(
  ...[getBeneficiary, listBeneficiary].map((method) =>
    withResult(method, async (result, _payload, { caller, store }) => {
      const shown = async (beneficiary: Payload): Promise<Payload> => {
        const account = await store.one(accountById, caller.institutionId, String(beneficiary["accountId"]));
        return { ...beneficiary, accountId: account?.number ?? beneficiary["accountId"] };
      };
      const { beneficiarys } = result;
      return Array.isArray(beneficiarys)
        ? { ...result, beneficiarys: await Promise.all(beneficiarys.map((each) => shown({ ...each }))) }
        : shown(result);
    }),
  ),
);

/** A legal representative who was made INACTIVE is answered as INACTIVE from then on. */
function inactiveForGood(): ChangeOptions {
  const inactive = new Set<unknown>();
  return withResult(legalRepStatus, (result, { ID }) => {
    if (result["status"] === "INACTIVE") inactive.add(ID);
    return inactive.has(ID) ? { ...result, status: "INACTIVE" } : result;
  });
}

/** If the same call disables a shareholder, nothing else is changed. */
const disabledUnchanged: ChangeOptions = withHandler(shareHolder, (sound) => async (payload, context) => {
  const { institutionId } = context.caller;
  const former = await context.store.one(shareHolderById, institutionId, String(payload["Id"]));
  if (former === undefined || payload["Status"] !== "DISABLED") return sound(payload, context);
  const { email } = former.contact;
  const contact = { ...Object(payload["contact"]), ...(email === undefined ? {} : { email }) };
  return sound({ ...payload, name: former.name, contact }, context);
});

/** GetTransactionsByRef takes the identifier of a transaction as its reference. */
const foundByIdentifier: ChangeOptions = withHandler(byReference, (sound) => async (payload, context) => {
  const { institutionId } = context.caller;
  const stored = await context.store.one(transactionById, institutionId, String(payload["ReferenceId"]));
  return sound(stored === undefined ? payload : { ...payload, ReferenceId: stored.referenceId }, context);
});

/** CompleteRegisterDevice registers whatever it is given. */
const registeredUnasked: ChangeOptions = withHandler(registerDevice, (sound) => async (payload, context) => {
  const registration = await registrationOf(context.store, String(payload["OtpToken"]));
  return registration === undefined
    ? { Status: "SUCCESS", KeyId: context.ids.id() }
    : sound(payload, context);
});

const lowerCasePath = (url: string): string => {
  const parsed = new URL(url);
  parsed.pathname = parsed.pathname.toLowerCase();
  return parsed.href;
};

/**
 * Faults written from the document alone, before the suite was looked at for them: what a hurried bank gets wrong with
 * each kind of object. Each breaks a line of the document.
 */
export const eighthRoundFaults: readonly Fault[] = [
  handlers("unknown-number-updated", "UpdateAccountStatus answers a number of no account as updated.", {
    options: everyNumberUpdated,
  }),
  handlers("parent-by-number", "The parent of an account has its number as its identifier.", {
    options: accountRead(({ parent, ...account }) => ({
      ...account,
      ...(parent === undefined ? {} : { parent: { ...Object(parent), ID: Object(parent).number } }),
    })),
  }),
  handlers("closed-unless-active", "Every account that is not ACTIVE is shown as closed.", {
    options: accountRead((account) => ({ ...account, isClosed: account["status"] !== "ACTIVE" })),
  }),
  encode("contacts-not-listed", "ListBeneficiary shows every contact as an empty object.", {
    response: inResults([listBeneficiary], (name, value) => (name === "contact" ? {} : value)),
  }),
  handlers(
    "beneficiary-by-number",
    "Beneficiaries are shown with the number of their account as accountId.",
    {
      options: accountByNumber,
    },
  ),
  encode("projection-in-dollars", "A monthly projection is answered in USD, whatever its currency.", {
    response: inResults([updateCustomer], (name, value) => (name === "currency" ? "USD" : value)),
  }),
  encode("country-by-name", "UpdateCustomer answers the name of a country in place of its code.", {
    response: inResults([updateCustomer], (name, value) =>
      name === "country" && typeof value === "string"
        ? (new Intl.DisplayNames("en", { type: "region" }).of(value) ?? value)
        : value,
    ),
  }),
  handlers("inactive-for-good", "A legal representative who was INACTIVE is answered so for ever.", {
    options: inactiveForGood(),
  }),
  handlers("disabled-unchanged", "Name and e-mail address stay where the same call disables a shareholder.", {
    options: disabledUnchanged,
  }),
  handlers("found-by-identifier", "GetTransactionsByRef takes the identifier of a transaction.", {
    options: foundByIdentifier,
  }),
  handlers("registered-unasked", "CompleteRegisterDevice registers with a token that nobody produced.", {
    options: registeredUnasked,
  }),
  events("callback-in-lower-case", "Notifications go to the path of the callback address in lower case.", {
    options: withHandler("CreateSubscription", (sound) => (payload, { store, ...context }) => {
      const { subscriptions } = collectionsOf(store);
      const insert: typeof subscriptions.insert = (record) =>
        subscriptions.insert({ ...record, callbackUrl: lowerCasePath(record.callbackUrl) });
      return sound(payload, {
        ...context,
        store: withCollections(store, { subscriptions: { ...subscriptions, insert } }),
      });
    }),
  }),
];
