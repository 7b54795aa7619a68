import { createPublicKey, generateKeyPairSync, randomUUID, verify, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * Another bank's service, written from the interface document alone: seven operations, kept in maps, with identifiers,
 * errors and habits of its own. It has no operator's interface and knows none of our decisions.
 */
export interface IndependentBank {
  /** What its callers are given. */
  readonly access: {
    readonly baseUrl: string;
    readonly userName: string;
    readonly apiKey: string;
    readonly keyId: string;
    readonly privateKeyPem: string;
    readonly signatureEncoding: "p1363";
    readonly samples: Readonly<Record<string, string>>;
  };
  stop(): Promise<void>;
}

type Json = Record<string, unknown>;

/** Its own errors: told by HTTP status, and with a body of its own shape. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const refusals = {
  signature: new Refusal(401, "INVALID_SIGNATURE", "Invalid Signature"),
  device: new Refusal(401, "NOT_FOUND_USER_DEVICE", "User device not found"),
  credential: new Refusal(401, "BAD_CREDENTIAL", "Invalid Credential"),
};

const statuses = "CREATED ACTIVE CURTAILED DORMANT SUSPENDED BLOCKED CLOSED DISABLED".split(" ");
const accountTypes = "SAVINGS CHECKING WALLET MONEY_MARKET CREDIT_CARD GL CUSTODIAL".split(" ");

/** How it tells errors: in an object of its own, in plain text, or with HTTP status 200. */
export type ErrorHabit = "object" | "text" | "ok";

export async function startIndependentBank(
  errors: ErrorHabit = "object",
  { accounts = 0, firstPage = 1 }: { readonly accounts?: number; readonly firstPage?: number } = {},
): Promise<IndependentBank> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const caller = { userName: "acme-treasury", apiKey: randomUUID(), keyId: "device/7" };
  const devices = new Map([
    [caller.keyId, createPublicKey(publicKey.export({ type: "spki", format: "pem" }))],
  ]);
  const books = new Books(firstPage);
  for (let count = 0; count < accounts; count += 1)
    books.add({
      customerID: "C-2",
      name: `Of others ${count}`,
      accountType: "SAVINGS",
      currency: "USD",
      legalReps: [],
    });
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { status, json, refusal } = answer(request.method ?? "", request.url ?? "", body, {
      caller,
      devices,
      books,
    });
    if (refusal !== undefined && errors === "text") {
      response.writeHead(status, { "Content-Type": "text/plain" }).end(`${refusal.code}: ${refusal.message}`);
      return;
    }
    response
      .writeHead(errors === "ok" ? 200 : status, { "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(json));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    access: {
      baseUrl: `http://127.0.0.1:${port}`,
      ...caller,
      signatureEncoding: "p1363",
      privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      samples: books.samples,
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface Bank {
  readonly caller: { readonly userName: string; readonly apiKey: string };
  readonly devices: ReadonlyMap<string, KeyObject>;
  readonly books: Books;
}

function answer(
  httpMethod: string,
  path: string,
  body: Buffer,
  bank: Bank,
): { status: number; json: unknown; refusal?: Refusal } {
  let id: unknown;
  try {
    if (path !== "/jsonrpc") throw new Refusal(404, "NO_SUCH_PATH", "There is nothing here");
    if (httpMethod !== "POST") throw new Refusal(405, "POST_ONLY", "Operations are posted");
    const envelope = objectOf(parsed(body.toString()), "the body");
    id = textOf(envelope, "id");
    const name = textOf(envelope, "method");
    const params = objectOf(envelope["params"], "params");
    const operation = operations.get(name);
    if (operation === undefined)
      throw new Refusal(400, "NO_SUCH_OPERATION", `${name} is not offered by this bank`);
    const payload = objectOf(params["payload"], "params.payload");
    authenticate(objectOf(params["api"], "params.api"), payload, operation, bank);
    const result = operation.run(payload, bank.books);
    return { status: 200, json: { ...(operation.jsonrpc ? { jsonrpc: "2.0" } : {}), result, id } };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, "OUT_OF_ORDER", "Please try later");
    const { status, code, message } = refusal;
    return { status, json: { fault: { text: message, code }, ...(id === undefined ? {} : { id }) }, refusal };
  }
}

/** Its own order of checks: the signature first. It verifies what JSON.stringify makes of a payload, and signatures as WebCrypto writes them. */
function authenticate(api: Json, payload: Json, { usesApiKey }: Operation, { caller, devices }: Bank): void {
  const { keyId, signature, credential, apiKey } = api;
  if (typeof keyId !== "string") throw refusals.device;
  const device = devices.get(keyId);
  if (device === undefined) throw refusals.device;
  if (typeof signature !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) throw refusals.signature;
  const bytes = Buffer.from(JSON.stringify(payload));
  const given = Buffer.from(signature, "base64");
  if (!verify("sha256", bytes, { key: device, dsaEncoding: "ieee-p1363" }, given)) throw refusals.signature;
  const right = `Basic ${Buffer.from(`${caller.userName}:${caller.apiKey}`).toString("base64")}`;
  if (credential !== right) throw refusals.credential;
  if (usesApiKey && apiKey !== caller.apiKey) throw refusals.credential;
}

interface Operation {
  readonly jsonrpc: boolean;
  readonly usesApiKey?: true;
  run(payload: Json, books: Books): unknown;
}

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    "AccountService.GetAccount",
    {
      jsonrpc: true,
      run(payload, books) {
        const account = books.accounts.get(textOf(payload, "ID", "ID is invalid or missing"));
        if (account === undefined) throw new Refusal(404, "NOT_FOUND_ACCOUNT", "Account doesn't exists");
        return { account: fullRecord(account) };
      },
    },
  ],
  [
    "AccountService.ListAccounts",
    {
      jsonrpc: false,
      run(payload, books) {
        const page = payload["PageNumber"] ?? payload["pageNumber"] ?? books.firstPage;
        const size = payload["PageSize"] ?? payload["pageSize"] ?? 25;
        const filter = payload["filter"] ?? "";
        if (Object.keys(payload).length === 0) throw wrong("PageNumber, PageSize or filter is needed");
        if (typeof page !== "number" || typeof size !== "number" || typeof filter !== "string")
          throw wrong("paging makes no sense");
        if (filter !== "" && !filter.startsWith("~")) throw wrong("filters begin with ~ here");
        const from = (page - books.firstPage) * size;
        const accounts = [...books.accounts.values()].toReversed().slice(from, from + size);
        return { riskScore: 12.5, accounts: accounts.map(summary) };
      },
    },
  ],
  [
    "AccountService.UpdateAccountStatus",
    {
      jsonrpc: false,
      run(payload, books) {
        const number = textOf(payload, "accountNumber");
        const status = oneOf(payload["status"] ?? payload["Status"], statuses, "status");
        if (status === "CREATED") throw new Refusal(422, "NO_WAY_BACK", "An account is created once");
        const account = [...books.accounts.values()].find((each) => each.number === number);
        if (account === undefined) throw new Refusal(422, "ACCOUNT_UNKNOWN", "We do not keep this account");
        account.status = status;
        return {
          Status: status,
          Name: account.name,
          InstitutionId: books.routing,
          AccountNumber: number,
          CustomerId: account.customerID,
        };
      },
    },
  ],
  [
    "CustomerService.AddAccount",
    {
      jsonrpc: true,
      run(payload, books) {
        const customerID = textOf(payload, "customerID");
        const name = textOf(payload, "name");
        const accountType = oneOf(payload["accountType"], accountTypes, "accountType");
        const currency = textOf(payload, "currency");
        if (!books.customers.has(customerID)) throw new Refusal(422, "CUSTOMER_UNKNOWN", "Who is that?");
        if (accountType === "CUSTODIAL") {
          if (typeof payload["CustodialCustomerId"] !== "number")
            throw wrong("CustodialCustomerId is a number here");
          oneOf(payload["custodialType"], ["A", "B"], "custodialType");
        } else if ("CustodialCustomerId" in payload || "custodialType" in payload) {
          throw wrong("only custodial accounts have a custodian");
        }
        const representatives = payload["legalReps"] ?? [];
        if (!Array.isArray(representatives)) throw wrong("legalReps");
        const legalReps = representatives.map((each) => ({
          ID: textOf(objectOf(each, "legalReps"), "ID"),
          name: textOf(objectOf(each, "legalReps"), "name"),
        }));
        const account = books.add({ customerID, name, accountType, currency, legalReps });
        return {
          customerID,
          institutionID: books.routing,
          accountType,
          accountNumber: account.number,
          status: account.status,
          ID: account.id,
        };
      },
    },
  ],
  [
    "CustomerService.UpdateLegalRepStatus",
    {
      jsonrpc: true,
      usesApiKey: true,
      run(payload, books) {
        const ID = textOf(payload, "ID");
        const status = oneOf(payload["Status"] ?? payload["status"], ["ACTIVE", "INACTIVE"], "Status");
        const created = books.representatives.get(ID);
        if (created === undefined) throw new Refusal(422, "REPRESENTATIVE_UNKNOWN", "Who is that?");
        return { updatedDate: new Date().toISOString(), createdDate: created, status, ID };
      },
    },
  ],
  [
    "KeyService.CompleteRegisterDevice",
    {
      jsonrpc: false,
      run(payload) {
        for (const name of ["UserName", "OtpToken", "Otp"]) textOf(payload, name);
        // Nobody has started a registration here; that it is refused, its result says.
        return { Status: "FAILED", KeyId: "" };
      },
    },
  ],
  [
    "TransactionService.GetTransactionsByRef",
    {
      jsonrpc: true,
      run(payload, books) {
        const reference = textOf(payload, "ReferenceId", "ID is invalid or missing");
        if (reference !== books.samples["referenceId"])
          throw new Refusal(404, "NOT_FOUND_TRANSACTION", "No transaction found with reference");
        return {
          Status: "PENDING",
          ReferenceId: reference,
          // A transaction has one name here.
          TransactionId: reference,
          TimeStamp: "2026-03-01T09:30:00+03:00",
          CustomerId: "C-1",
          mode: "TELLER",
          type: "DEPOSIT",
          credit: true,
          InstructedAmount: { Currency: "USD", Amount: 250 },
          Fees: [{ Amount: 1.5, Currency: "USD", TransactionNumber: "F-1", Tax: 0 }],
          DebtorAccount: {
            AccountNumber: "000-1",
            InstitutionId: "026009593",
            Reference: "cash",
            Party: { AccountVerificationId: "v-1", KycId: "k-1" },
            IdentificationType: "CHECKING",
          },
          CreditorAccount: {
            AccountNumber: "000-2",
            InstitutionId: "026009593",
            IdentificationType: "SAVINGS",
            CardNumber: "",
            Reference: "cash",
            ExpiryDate: "2030-01",
            Party: {
              Name: "Ann Example",
              Identification: "900112233",
              IdentificationType: "SSN",
              DateOfBirth: "19800229",
              Address: {
                Line1: "1 High St",
                Line2: "",
                TownName: "Town",
                PostCode: "1",
                State: "CA",
                Country: "US",
              },
            },
          },
        };
      },
    },
  ],
]);

interface Account {
  readonly id: string;
  readonly number: string;
  readonly customerID: string;
  readonly name: string;
  readonly accountType: string;
  readonly currency: string;
  readonly createdDate: string;
  readonly legalReps: readonly { readonly ID: string; readonly name: string }[];
  status: string;
}

class Books {
  readonly routing = "026009593";
  readonly customers = new Map([
    ["C-1", "Acme Trading"],
    ["C-2", "Ann Example"],
  ]);
  readonly representatives = new Map([["R-1", new Date().toISOString()]]);
  readonly accounts = new Map<string, Account>();
  readonly samples: Readonly<Record<string, string>>;

  /** The number of a list's first page. */
  readonly firstPage: number;

  constructor(firstPage: number) {
    this.firstPage = firstPage;
    const { id, number } = this.add({
      customerID: "C-1",
      name: "Main",
      accountType: "CHECKING",
      currency: "USD",
      legalReps: [],
    });
    this.samples = {
      accountId: id,
      accountNumber: number,
      businessCustomerId: "C-1",
      consumerCustomerId: "C-2",
      legalRepId: "R-1",
      referenceId: "ref 0001",
    };
  }

  add(made: Pick<Account, "customerID" | "name" | "accountType" | "currency" | "legalReps">): Account {
    const number = `000-${this.accounts.size + 1}`;
    const account = {
      ...made,
      id: `acc:${number}`,
      number,
      createdDate: new Date().toISOString(),
      status: "CREATED",
    };
    this.accounts.set(account.id, account);
    return account;
  }
}

function summary({
  id,
  number,
  status,
  customerID,
  name,
  accountType,
  currency,
  createdDate,
}: Account): Json {
  return {
    status,
    preAuthBalance: 0,
    ledgerBalance: 10.25,
    isVerify: true,
    glAccount: "GL-1",
    institutionID: "026009593",
    currencyCode: currency === "EUR" ? "978" : "840",
    currency,
    accountType,
    accountCategory: "Everyday",
    customerName: "A customer",
    customerID,
    holdBalance: 0.25,
    balance: 10,
    updatedDate: createdDate,
    createdDate,
    number,
    name,
    id,
  };
}

function fullRecord(account: Account): Json {
  return {
    ...summary(account),
    nickName: "",
    debit: true,
    minimumBalance: 0,
    subLedgerCode: "",
    tags: [],
    final: false,
    parent: { number: "", name: "", code: "", ID: "" },
    institutionName: "Independent Bank",
    legalReps: account.legalReps.map((each) => ({
      ...each,
      createdDate: account.createdDate,
      updatedDate: account.createdDate,
    })),
    DDAAccount: true,
    address: { zip: "1", country: "US", state: "CA", city: "Town", addressLine1: "1 High St" },
    minimumRouteApprovers: 0,
    newRouteAlert: false,
    ceTransactionNumber: "",
    accountLevel: "1",
    accountFinderSync: false,
    isGLVerify: false,
    isShadowAccount: false,
    sweep: false,
    isClosed: account.status === "CLOSED",
    program: "",
    productID: "",
    externalLedger: false,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong("the body is no JSON");
  }
}

function objectOf(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(`${what} has to be an object`);
  return { ...value };
}

function textOf(from: Json, name: string, message = `we need ${name}`): string {
  const value = from[name];
  if (typeof value !== "string" || value.trim() === "") throw wrong(message);
  return value;
}

function oneOf(value: unknown, values: readonly string[], name: string): string {
  if (typeof value !== "string" || !values.includes(value)) throw wrong(`${name} has to be one of ours`);
  return value;
}

function wrong(message: string): Refusal {
  return new Refusal(400, "BAD_INPUT", message);
}
