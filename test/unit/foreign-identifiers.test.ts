import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createMemoryStore } from "../bank-stores.ts";
import { bankOver, firstBank, openBank, otherBank, type Answer, type Bank } from "./handlers-bank.ts";
import { ines, johanna, arturo, northwind } from "./handlers-people.ts";
import { events, deliveries } from "../../runtime/store/tables/index.ts";

/** The suite's knowledge of an interface's operations: which fields name what. */
const Node = z.looseObject({
  kind: z.string(),
  get fields() {
    return z
      .array(
        z.looseObject({
          name: z.string(),
          shape: Node,
          identifies: z.string().optional(),
          refersTo: z.string().optional(),
        }),
      )
      .optional();
  },
  get items() {
    return Node.optional();
  },
  type: z.string().optional(),
});
type Shape = z.infer<typeof Node>;
const Suite = z.object({
  types: z.record(z.string(), Node),
  methods: z.array(
    z.looseObject({
      name: z.string(),
      payload: z.looseObject({
        shape: Node.optional(),
        forms: z.array(z.looseObject({ name: z.string(), shape: Node })).optional(),
      }),
    }),
  ),
});
const Document = z.object({
  methods: z.array(
    z.looseObject({
      name: z.string(),
      examples: z
        .array(z.looseObject({ params: z.array(z.looseObject({ name: z.string(), value: z.unknown() })) }))
        .default([]),
    }),
  ),
});

/** Identifiers of one institution's objects, by kind. */
type Known = Readonly<Record<string, string>>;

/** The kind of object that a sample of a suite stands for. Those without one name nothing that exists. */
const kindOf: Readonly<Record<string, string>> = {
  accountId: "accountId",
  accountNumber: "accountNumber",
  spareAccountNumber: "accountNumber",
  beneficiaryId: "beneficiaryId",
  businessCustomerId: "customerId",
  consumerCustomerId: "consumerId",
  legalRepId: "legalRepId",
  shareHolderId: "shareHolderId",
  referenceId: "referenceId",
  pendingReference: "referenceId",
  accountCategory: "category",
  source: "source",
  sourceId: "sourceId",
  subscriptionId: "subscriptionId",
  deliveryId: "deliveryId",
  mailId: "mailId",
  userName: "userName",
  spareUserName: "userName",
  uninvitedUserName: "userName",
  callerUserName: "userName",
  spareApiKeyId: "apiKeyId",
  spareKeyId: "keyId",
  callerKeyId: "keyId",
  ownKeyId: "keyId",
  institutionId: "institutionId",
  institutionName: "institutionName",
};

/** Every text of the other institution's objects holds this. */
const mark = "Zanzibar";

async function made(answer: Promise<Answer>): Promise<Answer["result"]> {
  const { result, error } = await answer;
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

/** One object of every kind in an institution. */
async function furnish(bank: Bank, institutionId: string, name: string): Promise<Known> {
  const isFirst = institutionId === firstBank;
  const [teller, operator] = isFirst ? ["teller", "operator"] : ["other-teller", "other-operator"];
  const asOperator = (method: string, payload: object) => made(bank.operator(method, payload, operator));
  const asTeller = (method: string, payload: object) => made(bank.ledger(method, payload, teller));
  const { customerId } = await asOperator("CreateCustomer", { ...northwind, businessNameLegal: name });
  const { customerId: consumerId } = await asOperator("CreateCustomer", { ...ines, name });
  const { legalRepId } = await asOperator("AddLegalRep", { customerId, ...johanna, name });
  const { shareHolderId } = await asOperator("AddShareHolder", { customerId, ...arturo, name });
  const account = { customerID: customerId, name, accountType: "CHECKING", currency: "USD" };
  const { ID: accountId, accountNumber } = await asTeller("CustomerService.AddAccount", account);
  const { beneficiaryId } = await asOperator("AddBeneficiary", {
    accountId,
    legalRepId,
    type: "INDIVIDUAL",
    firstName: name,
    lastName: name,
    accountNumber: "4402317756",
    accountType: "S",
    contact: { email: "maya@example.com", phoneNumber: "+12025550143" },
    address: { country: "US" },
    bankName: name,
  });
  const category = `${name} category`;
  await asOperator("CreateCategory", { name: category });
  const source = `${name.toUpperCase()}_SOURCE`;
  const { id: sourceId } = await asOperator("CreateSource", {
    source,
    events: [{ name: "Account.UPDATE", description: name }],
    keyIds: [`key-${teller}`],
  });
  const referenceId = `${name}-REF-1`;
  await asOperator("RecordTransaction", {
    type: "INTERNAL_TRANSFER",
    mode: "PG",
    Status: "PENDING",
    ReferenceId: referenceId,
    CustomerId: customerId,
    TimeStamp: "2026-03-02T08:15:27.000-05:00",
    credit: true,
    InstructedAmount: { Amount: 100, Currency: "USD" },
    DebtorAccount: { AccountNumber: "4402317756", InstitutionId: "011000138" },
    CreditorAccount: { AccountNumber: accountNumber, InstitutionId: institutionId },
  });
  const wanted = { name, callbackUrl: "https://hooks.example/", events: ["Account.UPDATE"] };
  const { subscriptionId } = await asTeller("CreateSubscription", { ...wanted, groupId: [accountNumber] });
  const deliveryId = `delivery-${isFirst ? "one" : "two"}`;
  await bank.store.write(async (tx) => {
    const event = {
      id: `event-${deliveryId}`,
      institutionId,
      name: "Account.UPDATE",
      topics: [accountNumber],
      group: customerId,
      source: "CORE",
      payloadJson: JSON.stringify({ name }),
      createdAt: bank.clock.now(),
      publishedAt: bank.clock.now(),
    };
    await tx.insert(events, event);
    await tx.insert(deliveries, {
      id: deliveryId,
      institutionId,
      subscriptionId,
      eventId: event.id,
      eventName: event.name,
      topics: [accountNumber],
      sequence: 1,
      generation: 0,
      state: "DEAD",
      attempts: 1,
      failures: 1,
      diedAt: bank.clock.now(),
      createdAt: bank.clock.now(),
    });
  });
  const userName = isFirst ? "helper" : "other-helper";
  await bank.addUser({ userName, institutionId });
  await asOperator("StartDeviceRegistration", { userName });
  const { mails } = await asOperator("ListMails", {});
  return {
    accountId,
    accountNumber,
    beneficiaryId,
    customerId,
    consumerId,
    legalRepId,
    shareHolderId,
    referenceId,
    category,
    source,
    sourceId: String(sourceId),
    subscriptionId,
    deliveryId,
    mailId: mails[0].mailId,
    userName,
    apiKeyId: `api-${userName}`,
    keyId: `key-${userName}`,
    institutionId,
    institutionName: isFirst ? "First Bank" : "Other Bank",
  };
}

/** An identifier of the same form that nothing has. */
function absentLike(id: string): string {
  const last = id.at(-1) ?? "";
  return `${id.slice(0, -4)}${/\d{4}$/.test(id) ? "0000" : "QQQQ"}`.slice(0, id.length) || last;
}

interface Place {
  readonly path: readonly string[];
  readonly kind: string;
  readonly isList: boolean;
}

/** The places of a payload that name an object. */
function placesIn(
  shape: Shape,
  types: ReadonlyMap<string, Shape>,
  path: readonly string[] = [],
): readonly Place[] {
  const at = shape.kind === "ref" ? types.get(shape.type ?? "") : shape;
  if (at === undefined || path.length > 4) return [];
  if (at.kind === "array") return at.items === undefined ? [] : placesIn(at.items, types, [...path, "0"]);
  return (at.fields ?? []).flatMap(({ name, shape: inner, identifies, refersTo }) => {
    const kind = kindOf[identifies ?? refersTo ?? ""];
    if (kind !== undefined) return [{ path: [...path, name], kind, isList: inner.kind === "array" }];
    return placesIn(inner, types, [...path, name]);
  });
}

/** A copy of a value with another one at a path; what is missing on the way is made. */
function withAt(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  if (key === "0") {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [withAt(first, rest, put), ...others];
  }
  const members = z.record(z.string(), z.unknown()).catch({}).parse(value);
  return { ...members, [key]: withAt(members[key], rest, put) };
}

function has(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return value !== undefined;
  if (Array.isArray(value)) return has(value[0], rest);
  const members = z.record(z.string(), z.unknown()).catch({}).parse(value);
  return Object.hasOwn(members, key) && has(members[key], rest);
}

type Interface = "ledger" | "operator" | "partner";

/** Each place of each operation's payloads, with the payload in which everything is the caller's own. */
function casesOf(name: Interface) {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../generated/${name}/${file}`, import.meta.url), "utf8"));
  const suite = Suite.parse(read("conformance/suite.json"));
  const types = new Map(Object.entries(suite.types));
  const examples = new Map(
    Document.parse(read("openrpc.json")).methods.map((each) => [each.name, each.examples]),
  );
  return suite.methods.flatMap((method) => {
    const payloads = (examples.get(method.name) ?? []).map(
      ({ params }) =>
        params.find((param) => param.name === "payload")?.value ??
        Object.fromEntries(params.map((param) => [param.name, param.value])),
    );
    const shapes =
      method.payload.shape === undefined
        ? (method.payload.forms ?? []).map(({ shape }) => shape)
        : [method.payload.shape];
    return shapes.flatMap((shape, index) => {
      const places = placesIn(shape, types);
      const example = payloads[shapes.length > 1 ? index : 0] ?? {};
      return places.map((place) => ({ interface: name, method: method.name, place, places, example }));
    });
  });
}

const cases = (["ledger", "operator", "partner"] as const).flatMap(casesOf);

/** A bank in which both institutions have one object of every kind; each call goes to a fork of its store. */
async function furnishBoth() {
  const store = createMemoryStore();
  const bank = await openBank({}, store);
  const own = await furnish(bank, firstBank, "Aruba");
  return { store, own, foreign: await furnish(bank, otherBank, mark) };
}
const furnished = furnishBoth();

describe("an identifier of another institution", () => {
  test("is tried in every place that names an object", () => {
    expect(cases.length).toBeGreaterThan(60);
    expect(new Set(cases.map(({ method }) => method)).size).toBeGreaterThan(40);
  });

  test.each(
    cases.map((each) => [`${each.interface} ${each.method} /${each.place.path.join("/")}`, each] as const),
  )("%s is answered as an absent one", async (_name, { interface: name, method, place, places, example }) => {
    const { store, own, foreign } = await furnished;
    const told = async (idOf: (foreign: string) => string) => {
      const bank = bankOver(store.fork(), {}, true, 2);
      const id = idOf(foreign[place.kind] ?? "");
      const filled = places
        .filter(({ path }) => has(example, path))
        .reduce<unknown>(
          (payload, { path, kind, isList }) => withAt(payload, path, isList ? [own[kind]] : own[kind]),
          place.path.includes("CustodialCustomerId")
            ? withAt(example, ["accountType"], "CUSTODIAL")
            : example,
        );
      const payload = z.looseObject({}).parse(withAt(filled, place.path, place.isList ? [id] : id));
      const before = await auditOf(bank);
      const { result, error, text } = await bank[name](method, payload);
      const { requestId: _id, ...data } = { requestId: "", ...error?.data };
      expect(await auditOf(bank), "the other institution's audit log").toEqual(before);
      expect(text.replaceAll(id, ""), "what is said").not.toContain(mark);
      return JSON.stringify(error === undefined ? result : { ...error, data }).replaceAll(id, "ID");
    };
    expect(await told((foreign) => foreign)).toBe(await told(absentLike));
  });
});

test("an audit log is numbered without gaps, whatever other institutions do meanwhile", async () => {
  const bank = bankOver((await furnished).store.fork(), {}, true, 2);
  for (const operator of ["operator", "other-operator"]) {
    await made(bank.operator("CreateCustomer", northwind, operator));
  }
  const { entries, next } = await made(
    bank.operator("ListAudit", { order: "OLDEST", pageSize: 3 }, "other-operator"),
  );
  const rest = await made(
    bank.operator("ListAudit", { order: "OLDEST", pageSize: 200, after: next }, "other-operator"),
  );
  const numbers = [...entries, ...rest.entries].map(({ sequence }: { sequence: number }) => sequence);
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
});

async function auditOf(bank: Bank): Promise<unknown> {
  const { entries } = await made(bank.operator("ListAudit", { pageSize: 100 }, "other-operator"));
  return entries;
}
