/**
 * What the types of the client promise. Nothing here runs: it has to compile, and what is marked as an error has to be
 * one. The packed client is held to it as well.
 */
import {
  type AccountStatus,
  type AccountSummary,
  type AccountType,
  type AllAccountsFilter,
  type CallOptions,
  connect,
  type Connection,
  getAccount,
  type GetAccountResult,
  type GetTransactionsByRefResult,
  isLedgerError,
  LedgerClient,
  LedgerError,
  money,
  NotFoundAccountError,
  registerSigner,
  TimeoutError,
} from "../../generated/ledger/client/index.ts";
import { FakeLedger } from "../../generated/ledger/client/testing.ts";
import { type LedgerEvent, webhooks } from "../../generated/ledger/client/webhooks.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<T extends true>(truth: T): T {
  return truth;
}

declare const pem: string;
declare const cryptoKey: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
declare const thrown: unknown;
declare const connection: Connection;

const options = { baseUrl: "", credential: { userName: "", apiKey: "" } };
export const client = new LedgerClient({ ...options, signer: { keyId: "", privateKey: pem } });

declare const known: AccountType;

export function amounts(account: GetAccountResult["account"], transaction: GetTransactionsByRefResult) {
  const balance: string = money.digits(account, "balance");
  // @ts-expect-error
  money.digits(account, "name_");
  return [balance, money.sum([account], "balance"), money.sum(transaction.Fees, "Amount")];
}

export async function calls() {
  const result = await client.account.get({ ID: "" });
  holds<Equal<typeof result, GetAccountResult>>(true);
  holds<Equal<typeof result.account.balance, number>>(true);
  const same = await client.call("AccountService.GetAccount", { ID: "" });
  holds<Equal<typeof same, GetAccountResult>>(true);
  const alone = await getAccount(connection, { ID: "" }, { id: "", signal: AbortSignal.timeout(1) });
  holds<Equal<typeof alone, GetAccountResult>>(true);

  // Requests take the canonical spelling only, and only values that the interface lists.
  // @ts-expect-error
  await client.account.get({ id: "" });
  // @ts-expect-error
  await client.account.get({});
  // @ts-expect-error
  await client.account.updateStatus({ accountNumber: "", Status: "ACTIVE" });
  // @ts-expect-error
  await client.account.updateStatus({ accountNumber: "", status: "OPEN" });
  // @ts-expect-error
  await client.call("AccountService.Nothing", {});

  // What has to be there together, has to be.
  const own = { customerID: "", name: "", currency: "USD" };
  const custody = { CustodialCustomerId: "", custodialType: "" };
  const anyType: AccountType = known;
  await client.customer.addAccount({ ...own, accountType: "SAVINGS" });
  await client.customer.addAccount({ ...own, accountType: "SAVINGS", legalReps: [{ ID: "", name: "" }] });
  await client.customer.addAccount({ ...own, ...custody, accountType: "CUSTODIAL" });
  await client.customer.addAccount({ ...own, ...custody, accountType: anyType, legalReps: [] });
  // @ts-expect-error
  await client.customer.addAccount({ ...own, accountType: "CUSTODIAL" });
  // @ts-expect-error
  await client.customer.addAccount({ ...own, accountType: "CUSTODIAL", custodialType: "" });
  // @ts-expect-error
  await client.customer.addAccount({ ...own, accountType: anyType });
  // @ts-expect-error
  await client.customer.addAccount({ ...own, ...custody, accountType: "CUSTODIAL", custodian: "" });
  // @ts-expect-error
  await client.customer.addAccount({ ...own, accountType: "SAVINGS", legalReps: [{ ID: "" }] });
  await client.getSource({ id: "", source: "" });
  // @ts-expect-error
  await client.getSource({});
  // @ts-expect-error
  await client.account.list({});

  // The interface lists every value that an answer may have.
  const status: AccountStatus = result.account.status;
  if (status === "ACTIVE") return;
  // @ts-expect-error
  if (status === "GONE") return;
  console.log(status);
}

export async function lists() {
  for await (const account of client.accounts.all({ filter: "", pageSize: 5 })) {
    holds<Equal<typeof account, AccountSummary>>(true);
  }
  client.accounts.all();
  // @ts-expect-error
  client.accounts.all({ PageNumber: 1 });
  const filter: AllAccountsFilter = {};
  holds<Equal<typeof filter.filter, string | undefined>>(true);
}

export function errors() {
  if (isLedgerError(thrown, "NOT_FOUND_ACCOUNT", "UNAUTHORIZED")) {
    holds<Equal<typeof thrown.code, "NOT_FOUND_ACCOUNT" | "UNAUTHORIZED">>(true);
  } else if (isLedgerError(thrown)) {
    const field: string | undefined = thrown.field;
    const code: string = thrown.code;
    console.log(field, code, thrown.status, thrown.requestId, thrown.attempts);
  } else if (thrown instanceof NotFoundAccountError) {
    holds<Equal<typeof thrown.code, "NOT_FOUND_ACCOUNT">>(true);
  } else if (thrown instanceof LedgerError) {
    console.log(thrown.code);
  } else if (thrown instanceof TimeoutError) {
    console.log(thrown.id);
  }
  // @ts-expect-error
  isLedgerError(thrown, "NO_SUCH_CODE");
}

export async function signers() {
  connect({ ...options, signer: { keyId: "", privateKey: cryptoKey } });
  connect({ ...options, signer: { keyId: "", privateKey: { kty: "EC", crv: "P-256", d: "" } } });
  connect({ ...options, signer: { keyId: "", sign: async (bytes) => bytes } });
  // @ts-expect-error
  connect({ ...options, signer: { keyId: "" } });
  // @ts-expect-error
  connect({ ...options, signer: { privateKey: pem } });
  const signer = await registerSigner(options, { UserName: "", OtpToken: "", Otp: "" });
  return new LedgerClient({ ...options, signer });
}

export async function events(body: Uint8Array, headers: Headers) {
  const event: LedgerEvent = await webhooks({ secret: "" }).verify(body, headers);
  if (event.eventName === "Account.NEW") console.log(event.payload.number);
  if (event.eventName === "Transaction.UPDATE") console.log(event.payload.ReferenceId);
  // @ts-expect-error
  if (event.eventName === "Account.NEW") console.log(event.payload.ReferenceId);
  switch (event.eventName) {
    case "Account.NEW":
    case "Account.UPDATE":
      return event.payload.number;
    case "Transaction.NEW":
    case "Transaction.UPDATE":
      return event.payload.ReferenceId;
    default: {
      // A newer service posts other events: the receiver says what becomes of them.
      const name: string = event.eventName;
      const payload: unknown = event.payload;
      // @ts-expect-error
      const nothing: never = event;
      return [name, payload, nothing];
    }
  }
}

export function fakes() {
  const fake = new FakeLedger();
  const id: string = fake.samples.accountId;
  fake.answer("AccountService.UpdateAccountCategory", ({ AccountCategory }) => ({
    Message: AccountCategory,
  }));
  // @ts-expect-error
  fake.answer("AccountService.UpdateAccountCategory", () => ({ message: "" }));
  // @ts-expect-error
  fake.refuse("AccountService.GetAccount", "NO_SUCH_CODE");
  const given: CallOptions = { attemptsMax: 1 };
  return { id, given };
}
