/** The lists and filters of bench/accounts.ts, and a caller that signs. */
import { sign, type KeyObject } from "node:crypto";
import { Agent, request } from "node:http";
import { accountIdAt, accountNumberAt, createdAt, customerIdAt } from "./plan.ts";
import { bankUsers, keyIdOf } from "./users.ts";

export interface Call {
  /** The user that calls; absent: one that sees all customers. */
  readonly by?: string;
  /** Absent: `AccountService.ListAccounts`. */
  readonly method?:
    | "ListTransactions"
    | "AccountService.GetAccount"
    | "TransactionService.GetTransactionsByRef";
  readonly payload: object;
  /** Another payload for each call. */
  readonly payloadOf?: (round: number) => object;
}

/** A step through a bank that soon meets all of it. */
const step = 7_919;

/** Calls about one record, of a bank with a posting an account or more. */
export function pointCallsOf(accounts: number): Readonly<Record<string, Call>> {
  return {
    GetAccount: {
      method: "AccountService.GetAccount",
      payload: {},
      payloadOf: (round) => ({ ID: accountIdAt((round * step) % accounts) }),
    },
    GetTransactionsByRef: {
      method: "TransactionService.GetTransactionsByRef",
      payload: {},
      payloadOf: (round) => ({ ReferenceId: `R${(round * step) % Math.floor(accounts / 2)}` }),
    },
  };
}

/** Transactions of the first account of a bank with so many accounts. */
export function busyTransactionsOf(accounts: number): number {
  return Math.floor(accounts / 5);
}

/** Every way to find accounts and transactions, by name. Pages are of a bank with so many accounts. */
export function callsOf(accounts: number): Readonly<Record<string, Call>> {
  const lastPage = Math.floor(accounts / 15) - 1;
  const middle = Math.floor(accounts / 2);
  const words = Array.from({ length: 20 }, (_, index) => `name:"zz${index}"`).join(" OR ");
  return {
    "page 1": { payload: { PageNumber: 1 } },
    "page 1 of 100": { payload: { PageNumber: 1, PageSize: 100 } },
    "page 10,000 (or the last)": { payload: { PageNumber: Math.min(10_000, lastPage) } },
    "the last page": { payload: { PageNumber: lastPage } },
    "a page in the middle": { payload: { PageNumber: Math.floor(lastPage / 2) } },
    "beyond the last page": { payload: { PageNumber: lastPage * 10 } },
    "page 1, one customer": { by: bankUsers.one, payload: { PageNumber: 1 } },
    "page 1, twenty customers": { by: bankUsers.many, payload: { PageNumber: 1 } },
    "twenty customers, name:zz": { by: bankUsers.many, payload: { filter: 'name:"zz"' } },
    'name = "unknown"': filter('name = "unknown"'),
    "name = prefix, rare": filter('name = "Ada Okafor Payroll 77*"'),
    "name = prefix, common": filter('name = "Ada*"'),
    "number =": filter(`number = ${accountNumberAt(middle)}`),
    "a number's beginning": filter(`${accountNumberAt(middle).slice(0, 13)}*`),
    "customerID =": filter(`customerID = ${customerIdAt(11)}`),
    "customerName =": filter('customerName = "Customer 77"'),
    "status = ACTIVE": filter("status = ACTIVE"),
    "status = SUSPENDED (1 in 1,000)": filter("status = SUSPENDED"),
    "status = BLOCKED (none)": filter("status = BLOCKED"),
    "-status = ACTIVE": filter("-status = ACTIVE"),
    "currency = EUR AND accountCategory": filter('currency = EUR AND accountCategory = "Category 3"'),
    "glAccount = (none)": filter("glAccount = GL-999"),
    "created in one day": filter(`createdDate >= ${day(middle)} AND createdDate < ${day(middle + 720)}`),
    "created in one day, name:zz": filter(
      `createdDate >= ${day(middle)} AND createdDate < ${day(middle + 720)} AND name:"zz"`,
    ),
    "balance > (most)": filter("balance > 100"),
    "balance > (none)": filter("balance > 60000"),
    "name:zz (none)": filter('name:"zz"'),
    "20 x name:zz (none)": filter(words),
    "customerName:zz (none)": filter('customerName:"zz"'),
    "institutionID = another": filter("institutionID = 1"),
    "status = ACTIVE, page 100": filter("status = ACTIVE", { PageNumber: 100 }),
    "operator: an account's transactions": transactions(1),
    "operator: 100 of them": transactions(1, 100),
    "operator: their page in the middle": transactions(Math.floor(busyTransactionsOf(accounts) / 30)),
    "operator: their last page": transactions(Math.floor(busyTransactionsOf(accounts) / 15)),
    "operator: beyond their last page": transactions(busyTransactionsOf(accounts)),
  };
}

function transactions(pageNumber: number, pageSize = 15): Call {
  const payload = { accountNumber: accountNumberAt(0), pageNumber, pageSize };
  return { by: bankUsers.operator, method: "ListTransactions", payload };
}

function filter(text: string, more: object = {}): Call {
  return { payload: { filter: text, ...more } };
}

function day(index: number): string {
  return new Date(createdAt(index)).toISOString();
}

export interface Answer {
  readonly result?: { readonly accounts?: readonly unknown[]; readonly transactions?: readonly unknown[] };
  readonly error?: { readonly code: string; readonly data?: { readonly reason?: string } };
}

export type SignedCaller = (userName: string, method: string, payload: object) => Promise<Answer>;

/** Calls as any user of the bank: all have the same keys. */
export function signedCaller(options: {
  readonly url: string;
  readonly apiKey: string;
  readonly key: KeyObject;
}): SignedCaller {
  const agent = new Agent({ keepAlive: true });
  return async (userName, method, payload) => {
    const body = signedBody(options, userName, method, payload);
    return JSON.parse(await post(agent, `${options.url}/jsonrpc`, body));
  };
}

export function signedBody(
  { apiKey, key }: { readonly apiKey: string; readonly key: KeyObject },
  userName: string,
  method: string,
  payload: object,
): string {
  const text = JSON.stringify(payload);
  const signature = sign("sha256", Buffer.from(text), key).toString("base64");
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  const api = JSON.stringify({ credential, apiKey, keyId: keyIdOf(userName), signature });
  return `{"method":"${method}","id":"1","params":{"api":${api},"payload":${text}}}`;
}

export function post(agent: Agent, url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
