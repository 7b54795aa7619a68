import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { subjects } from "../../ledger/handlers/services/audit.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { partnerInterface } from "../../generated/partner/methods.ts";
import { notedVerbs } from "../noted-verbs.ts";
import { auditedBySystem, auditedStore, readAudit } from "../../runtime/store/audit/index.ts";
import type { ObjectShape } from "../../runtime/contract/index.ts";
import type { AuditRecord, Writes } from "../../runtime/store/ports/index.ts";
import { firstBank, openBank, publicKeyPem, type Bank } from "./handlers-bank.ts";
import { arturo, ines, johanna, northwind } from "./handlers-people.ts";
import { transfer } from "./handlers-transfers.ts";
import { userByName, users, mailById } from "../../runtime/store/tables/index.ts";
import { legalRepById, legalReps } from "../../ledger/tables/index.ts";

let bank: Bank;
let seen: number;
/** Interface and name of the operations that left an entry. */
let leaving: Set<string>;

beforeEach(async () => {
  bank = await openBank({}, undefined, false);
  seen = 0;
  leaving = new Set();
});

/** The entries since the last call, the oldest first. */
async function taken(institutionId = firstBank): Promise<readonly AuditRecord[]> {
  const entries = await bank.store.read((view) =>
    readAudit(view, { institutionId, after: seen, limit: 1000 }),
  );
  seen = entries.at(-1)?.sequence ?? seen;
  return entries;
}

type Told = Readonly<Record<string, readonly [from: string | undefined, to: string | undefined]>>;

/** Runs an operation and says of each entry that it left: what it is about, and what changed. */
async function left(interfaceName: "ledger" | "operator" | "partner", method: string, payload: object) {
  const { result, error, text } = await bank[interfaceName](method, payload);
  if (error !== undefined) throw new Error(`${method}: ${text}`);
  const entries = await taken();
  for (const entry of entries) {
    const userName = interfaceName === "operator" ? "operator" : "teller";
    leaving.add(`${interfaceName} ${method}`);
    expect(entry).toMatchObject({ operation: method, userName, keyId: `key-${userName}` });
    expect(entry.changedAt).toBe(bank.clock.now());
  }
  const told = entries.map(({ subjectType, subjectId, changes }) => {
    const values: Told = Object.fromEntries(
      changes.map(({ field, from, to }) => [field, [from, to] as const]),
    );
    return { subject: `${subjectType} ${subjectId}`, changes: values };
  });
  return { result, told };
}

const to = (value: string) => [undefined, value] as const;
const digested = [undefined, expect.stringMatching(/^[0-9a-f]{64}$/)];
const hidden = [undefined, undefined] as const;

describe("every change leaves one entry, with who, what, from and to", () => {
  it("whatever operation made it", async () => {
    const customer = await left("operator", "CreateCustomer", northwind);
    const { customerId } = customer.result;
    expect(customer.told).toEqual([
      {
        subject: `customer ${customerId}`,
        changes: {
          type: to("BUSINESS"),
          status: to("ACTIVE"),
          name: hidden,
          dateEstablished: hidden,
          generalBusinessDescription: hidden,
          monthlyProjection: hidden,
          identification: hidden,
          contact: hidden,
          address: hidden,
        },
      },
    ]);
    const rep = await left("operator", "AddLegalRep", { customerId, ...johanna });
    const { legalRepId } = rep.result;
    expect(rep.told).toMatchObject([
      { subject: `legal-rep ${legalRepId}`, changes: { status: to("ACTIVE"), name: hidden, email: hidden } },
    ]);
    const holder = await left("operator", "AddShareHolder", { customerId, ...arturo });
    const { shareHolderId } = holder.result;
    expect(holder.told).toMatchObject([{ changes: { customerId: to(customerId), status: to("ENABLED") } }]);

    const update = { ID: customerId, businessNameLegal: "Renamed Secretly" };
    expect((await left("ledger", "CustomerService.UpdateCustomer", update)).told).toEqual([
      { subject: `customer ${customerId}`, changes: { name: hidden } },
    ]);
    expect((await left("ledger", "CustomerService.UpdateCustomer", update)).told).toEqual([]);
    const { dateOfBirth: DOB, ...known } = arturo;
    const share = { Id: shareHolderId, customerId, ...known, DOB, Status: "DISABLED" };
    expect((await left("ledger", "CustomerService.UpdateShareHolder", share)).told).toEqual([
      { subject: `share-holder ${shareHolderId}`, changes: { status: ["ENABLED", "DISABLED"] } },
    ]);

    const login = await left("ledger", "CustomerService.CreateLegalRepLogin", { legalrepID: legalRepId });
    expect(login.told).toMatchObject([
      {
        subject: `portal-login ${legalRepId}`,
        changes: { passwordHash: digested, totpSecretSealed: hidden },
      },
    ]);
    const inactive = { ID: legalRepId, Status: "INACTIVE" };
    expect((await left("ledger", "CustomerService.UpdateLegalRepStatus", inactive)).told).toMatchObject([
      { subject: `legal-rep ${legalRepId}`, changes: { status: ["ACTIVE", "INACTIVE"] } },
      { subject: `portal-login ${legalRepId}` },
    ]);
    await left("ledger", "CustomerService.UpdateLegalRepStatus", { ID: legalRepId, Status: "ACTIVE" });

    const opening = { customerID: customerId, name: "Secret name", accountType: "CHECKING", currency: "USD" };
    const opened = await left("ledger", "CustomerService.AddAccount", opening);
    const { ID: accountId, accountNumber } = opened.result;
    expect(opened.told).toEqual([
      expect.objectContaining({ subject: "customer bank" }),
      { subject: "account gl-clearing-USD", changes: { status: to("ACTIVE") } },
      { subject: `account ${accountId}`, changes: { status: to("ACTIVE") } },
    ]);
    const payee = {
      type: "INDIVIDUAL",
      firstName: "Maya",
      lastName: "Okafor",
      accountNumber: "4402317756",
      accountType: "S",
    };
    const beneficiary = await left("operator", "AddBeneficiary", { accountId, legalRepId, ...payee });
    const { beneficiaryId } = beneficiary.result;
    expect(beneficiary.told).toMatchObject([
      { subject: `beneficiary ${beneficiaryId}`, changes: { accountId: to(accountId), lastName: hidden } },
    ]);
    expect(
      (await left("operator", "SetBeneficiaryStatus", { beneficiaryId, status: "DISABLED" })).told,
    ).toEqual([{ subject: `beneficiary ${beneficiaryId}`, changes: { status: ["ACTIVE", "DISABLED"] } }]);

    const category = await left("operator", "CreateCategory", { name: "Premium" });
    expect(category.told).toMatchObject([{ changes: { name: to("Premium") } }]);
    const mapping = { AccountNumber: accountNumber, AccountCategory: "Premium" };
    expect((await left("ledger", "AccountService.UpdateAccountCategory", mapping)).told).toEqual([
      { subject: `account ${accountId}`, changes: { category: ["", "Premium"] } },
    ]);
    const suspend = { accountNumber, status: "SUSPENDED" };
    expect((await left("ledger", "AccountService.UpdateAccountStatus", suspend)).told).toEqual([
      { subject: `account ${accountId}`, changes: { status: ["ACTIVE", "SUSPENDED"] } },
    ]);
    expect((await left("ledger", "AccountService.UpdateAccountStatus", suspend)).told).toEqual([]);
    const activate = { accountNumber, status: "ACTIVE" };
    expect((await left("operator", "SetAccountStatus", activate)).told).toEqual([
      { subject: `account ${accountId}`, changes: { status: ["SUSPENDED", "ACTIVE"] } },
    ]);
    for (const institutionOwned of [true, false]) {
      const { told } = await left("operator", "MarkInstitutionAccount", { accountNumber, institutionOwned });
      expect(told).toEqual([
        {
          subject: `account ${accountId}`,
          changes: { institutionOwned: institutionOwned ? to("true") : ["true", undefined] },
        },
      ]);
    }

    const payment = transfer(undefined, accountNumber, { CustomerId: customerId, Status: "PENDING" });
    const recorded = await left("operator", "RecordTransaction", payment);
    expect(recorded.told).toEqual([
      { subject: `transaction ${recorded.result.TransactionId}`, changes: { status: to("PENDING") } },
    ]);
    const decision = { ReferenceId: payment.ReferenceId, Status: "COMPLETED" };
    expect((await left("operator", "UpdateTransactionStatus", decision)).told).toMatchObject([
      { changes: { status: ["PENDING", "COMPLETED"] } },
    ]);

    await subscriptions(accountNumber);
    await access(customerId);
    await mails();
    await proposals();
    expect([...changing].filter((name) => !leaving.has(name))).toEqual([]);
    await expectNothingPersonal();
  });

  it("and none of the other operations changes, sends or reveals a secret", () => {
    const open = [...reading].filter(({ result }) => isSecret(result)).map(({ name }) => name);
    // They show parties of a transaction, and people, to those who may see them.
    expect(open).toEqual([
      "TransactionService.GetTransactionsByRef",
      "GetCustomer",
      "GetShareHolder",
      "ListTransactions",
      "GetTransaction",
    ]);
  });

  it("whatever the service did by itself", async () => {
    await left("operator", "CreateCustomer", ines);
    await bank.store.write(async (tx) => {
      const audited = auditedBySystem(tx, {
        institutionId: firstBank,
        operation: "maintenance",
        clock: bank.clock,
      });
      const user = await tx.one(userByName, "teller");
      if (user !== undefined) await audited.replace(users, { ...user, scopes: ["GetSource"] });
    });
    const [entry, ...others] = await taken();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      subjectType: "user",
      subjectId: "teller",
      operation: "maintenance",
      changes: [{ field: "scopes", from: '["*"]', to: '["GetSource"]' }],
    });
    expect(entry?.userName).toBeUndefined();
    const listed = (await bank.operator("ListAudit", { actor: "system" })).result.entries;
    expect(listed).toMatchObject([{ actor: "system", operation: "maintenance" }]);
  });

  it("and a change that was refused leaves none", async () => {
    const { error } = await bank.operator("AddLegalRep", { customerId: "nobody", ...johanna });
    expect(error).toBeDefined();
    expect(await taken()).toEqual([]);
  });
});

const all = [ledgerInterface, operatorInterface, partnerInterface].flatMap(({ name, methods }) =>
  Object.values(methods).map((method) => ({ interfaceName: name, ...method })),
);
const reading = all.filter(({ effect }) => effect === "read");
const changing = all
  .filter(({ effect }) => effect !== "read")
  .map(({ interfaceName, name }) => `${interfaceName} ${name}`);

function isSecret({ fields }: ObjectShape): boolean {
  return fields.some(
    ({ sensitive, shape }) => sensitive === true || (shape !== undefined && isSecret(shape())),
  );
}

/** A change that is proposed and withdrawn, and one of another operator, approved. */
async function proposals(): Promise<void> {
  const asked = (userName: string) => ({
    operation: "IssueCredential",
    payload: JSON.stringify({ userName, email: "it@x.example" }),
  });
  const own = await left("operator", "ProposeChange", asked("own"));
  const subject = `proposal ${own.result.proposal.proposalId}`;
  expect(own.told).toMatchObject([{ subject, changes: { proposedBy: to("operator"), payload: hidden } }]);
  const { proposalId } = own.result.proposal;
  expect((await left("operator", "RejectProposal", { proposalId })).told).toMatchObject([
    { subject, changes: { state: ["OPEN", "WITHDRAWN"], decidedBy: to("operator") } },
  ]);
  await bank.addUser({ userName: "second", realm: "operator" });
  const { proposal } = (await bank.operator("ProposeChange", asked("other"), "second")).result;
  await taken();
  const approval = { proposalId: proposal.proposalId, digest: proposal.digest };
  expect((await left("operator", "ApproveProposal", approval)).told).toMatchObject([
    { subject: `proposal ${proposal.proposalId}`, changes: { state: ["OPEN", "APPROVED"] } },
    { subject: "user 091000019.other" },
    { changes: { userName: to("091000019.other") } },
  ]);
}

/** A mail that failed, sent again by either operation, and removed. */
async function mails(): Promise<void> {
  const [mail] = (await bank.operator("ListMails", { pageSize: 1 })).result.mails;
  const fail = () =>
    bank.store.write((tx) => tx.update(mailById, { state: "FAILED", failedAt: 7 }, mail.mailId));
  const subject = `mail ${mail.mailId}`;
  await fail();
  expect((await left("operator", "ResendMail", { mailId: mail.mailId })).told).toMatchObject([{ subject }]);
  await fail();
  expect((await left("operator", "ResendFailedMails", {})).told).toMatchObject([{ subject }]);
  expect((await left("operator", "RemoveMail", { mailId: mail.mailId })).told).toMatchObject([{ subject }]);
}

/** Messages and answers to operators and the user about a subscription. */
async function sent(subscriptionId: string): Promise<void> {
  const subject = `subscription ${subscriptionId}`;
  for (const interfaceName of ["operator", "partner"] as const) {
    const test = await left(interfaceName, "SendTestEvent", { subscriptionId });
    const { deliveryId } = test.result;
    expect(test.told).toEqual([{ subject, changes: { testEvent: to(deliveryId) } }]);
    expect((await left(interfaceName, "RedeliverOne", { deliveryId })).told).toEqual([
      { subject, changes: { redelivered: to(deliveryId) } },
    ]);
  }
  const [from, until] = ["2026-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"];
  const range = await left("operator", "RedeliverRange", { subscriptionId, from, to: until });
  expect(range.told).toEqual([
    { subject, changes: { redelivered: to("0"), rangeFrom: to(from), rangeTo: to(until) } },
  ]);
  expect((await left("operator", "GetSubscriptionSecret", { subscriptionId })).told).toEqual([
    { subject, changes: { secretRead: hidden } },
  ]);
  for (const enabled of [false, true]) {
    const { told } = await left("partner", "UpdateSubscription", { subscriptionId, enabled });
    expect(told).toMatchObject([{ subject, changes: { enabled: [`${!enabled}`, `${enabled}`] } }]);
  }
}

async function subscriptions(accountNumber: string): Promise<void> {
  const asked = {
    name: "Secret desk",
    callbackUrl: "https://hooks.example/path?token=hush",
    events: ["Account.UPDATE"],
    groupId: [accountNumber],
    remarks: "Call Johanna Lindqvist",
  };
  const made = await left("ledger", "CreateSubscription", asked);
  const { subscriptionId } = made.result;
  const subject = `subscription ${subscriptionId}`;
  expect(made.told).toMatchObject([
    { subject, changes: { callbackUrl: to("https://hooks.example"), remarks: hidden, secretSealed: hidden } },
  ]);
  const { name: _name, ...again } = asked;
  const own = await left("partner", "CreateSubscription", { ...again, name: "Other secret desk" });
  expect(own.told).toMatchObject([{ changes: { userName: to("teller") } }]);
  await sent(subscriptionId);
  const renamed = await left("partner", "UpdateSubscription", { subscriptionId, name: "Secret till" });
  expect(renamed.told).toEqual([{ subject, changes: { name: hidden } }]);
  const shownAt = { secretShownAt: to(`${bank.clock.now()}`) };
  expect((await left("partner", "RevealSubscriptionSecret", { subscriptionId })).told).toEqual([
    { subject, changes: shownAt },
  ]);
  bank.clock.advance(1);
  expect((await left("partner", "RotateSubscriptionSecret", { subscriptionId })).told).toMatchObject([
    { subject, changes: { secretSealed: hidden } },
  ]);
  const ended = await left("partner", "DeleteSubscription", { subscriptionId: own.result.subscriptionId });
  expect(ended.told).toMatchObject([{ subject: `subscription ${own.result.subscriptionId}` }]);
  const disable = { subscriptionId, enabled: false };
  expect((await left("operator", "UpdateSubscription", disable)).told).toMatchObject([
    { subject, changes: { enabled: ["true", "false"], disabledReason: to("OPERATOR") } },
  ]);
  await bank.addUser({ userName: "successor" });
  const handed = { subscriptionId, userName: "successor" };
  expect((await left("operator", "TransferSubscription", handed)).told).toEqual([
    { subject, changes: { userName: ["teller", "successor"] } },
  ]);
  expect((await left("operator", "RotateSubscriptionSecret", { subscriptionId })).told).toMatchObject([
    { subject, changes: { secretSealed: hidden } },
  ]);
  expect((await left("operator", "DeleteSubscription", { subscriptionId })).told).toMatchObject([
    { subject, changes: { userName: ["successor", undefined] } },
  ]);
}

async function access(customerId: string): Promise<void> {
  const user = { userName: "mobile", email: "mobile@secret.example", customerIds: [customerId] };
  const issued = await left("operator", "IssueCredential", user);
  const { userName } = issued.result;
  expect(issued.told).toMatchObject([
    { subject: `user ${userName}`, changes: { realm: to("ledger"), email: hidden } },
    { subject: `credential ${issued.result.apiKeyId}`, changes: { userName: to(userName), hash: digested } },
  ]);
  const rotated = await left("operator", "RotateCredential", { userName });
  expect(rotated.told.map(({ subject }) => subject)).toEqual([
    `credential ${issued.result.apiKeyId}`,
    `credential ${rotated.result.apiKeyId}`,
  ]);
  const registered = await left("operator", "RegisterKey", { userName, PublicKey: publicKeyPem });
  const { KeyId } = registered.result;
  expect(registered.told).toMatchObject([{ subject: `key ${KeyId}`, changes: { status: to("ACTIVE") } }]);
  expect((await left("operator", "RevokeKey", { KeyId })).told).toMatchObject([
    { subject: `key ${KeyId}`, changes: { status: ["ACTIVE", "REVOKED"] } },
  ]);
  expect((await left("operator", "RevokeKey", { KeyId })).told).toEqual([]);
  expect((await left("operator", "RevokeCredential", { userName })).told).toHaveLength(2);

  const source = { source: "FEED", events: [{ name: "Account.NEW", description: "y" }] };
  expect((await left("operator", "CreateSource", source)).told).toMatchObject([
    { changes: { source: to("FEED") } },
  ]);
  await ownKey();
  await invited();
  const started = await left("operator", "StartDeviceRegistration", { userName: "teller" });
  expect(started.told).toMatchObject([{ changes: { userName: to("teller"), otpHash: hidden } }]);
  const mail = bank.mails.at(-1);
  const Otp = mail?.kind === "one-time-password" ? mail.otp : "";
  const device = { UserName: "teller", OtpToken: started.result.OtpToken, PublicKey: publicKeyPem };
  const wrong = await bank.ledger("KeyService.CompleteRegisterDevice", { ...device, Otp: "x" });
  expect(wrong.error?.code).toBe("INVALID_OTP");
  expect((await taken()).map(({ subjectType }) => subjectType)).toEqual(["user", "registration"]);
  const MFP = { Locality: "Secret town" };
  const done = await left("ledger", "KeyService.CompleteRegisterDevice", { ...device, Otp, MFP });
  expect(done.told.map(({ subject }) => subject.split(" ")[0])).toEqual(["registration", "user", "key"]);
}

/** A user who is invited twice and accepts. */
async function invited(): Promise<void> {
  const asked = { userName: "guest", email: "guest@secret.example" };
  const first = await left("operator", "InviteUser", asked);
  const { userName } = first.result;
  const invitation = {
    subject: `invitation ${userName}`,
    changes: { hash: digested, expiresAt: to(expect.any(String)) },
  };
  expect(first.told).toMatchObject([{ subject: `user ${userName}` }, invitation]);
  bank.clock.advance(1);
  const again = await left("operator", "RenewInvitation", { userName });
  expect(again.told).toMatchObject([{ subject: `invitation ${userName}` }]);
  const { link } = again.result;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const PublicKey = publicKey.export({ type: "spki", format: "pem" });
  const by = { userName, apiKey: link.split("/").at(-1), keyId: "new", privateKey };
  const { result } = await bank.partner("AcceptInvitation", { PublicKey }, by);
  const entries = await taken();
  expect(entries.map((entry) => [entry.userName, entry.subjectType, entry.subjectId])).toEqual([
    [userName, "invitation", userName],
    [userName, "key", result.KeyId],
    [userName, "credential", result.apiKeyId],
  ]);
  expect(entries.map(({ operation }) => operation)).toEqual(Array(3).fill("AcceptInvitation"));
  leaving.add("partner AcceptInvitation");
}

/** A key that its user registers and revokes alone. */
async function ownKey(): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const PublicKey = publicKey.export({ type: "spki", format: "pem" });
  const { challenge } = (await bank.partner("StartKeyRegistration", { PublicKey })).result;
  const own = {
    PublicKey,
    challenge,
    proof: sign("sha256", Buffer.from(challenge), privateKey).toString("base64"),
  };
  const registered = await left("partner", "RegisterKey", own);
  const { KeyId } = registered.result;
  const subject = `key ${KeyId}`;
  expect(registered.told).toEqual([
    { subject, changes: { userName: to("teller"), publicKeyPem: digested, status: to("ACTIVE") } },
  ]);
  expect((await left("partner", "RevokeKey", { KeyId })).told).toMatchObject([
    { subject, changes: { status: ["ACTIVE", "REVOKED"] } },
  ]);
}

/** No entry holds anything of a person, nor any secret. */
async function expectNothingPersonal(): Promise<void> {
  seen = 0;
  const text = JSON.stringify(await taken());
  const texts = (value: unknown): readonly string[] =>
    typeof value === "string" ? [value] : Object.values(Object(value)).flatMap(texts);
  const personal = [northwind, johanna, arturo].flatMap(texts);
  const more = [
    "Renamed Secretly",
    "Secret name",
    "Secret desk",
    "Secret till",
    "Secret town",
    "Maya",
    "Okafor",
    "4402317756",
    "hush",
    "Floor",
    "mobile@secret",
    "guest@secret",
  ];
  const plain = new Set(["BUSINESS", "US", "CA", "SSN", "TIN", "USD", "25"]);
  for (const datum of [...personal, ...more].filter((each) => !plain.has(each))) {
    expect(text, datum).not.toContain(datum);
  }
  expect(text).not.toContain("BEGIN PUBLIC KEY");
}

it("the interface declares each kind of record that entries are about", () => {
  const file = new URL("../../generated/operator/json-schema.json", import.meta.url);
  const document: { $defs: { AuditSubject: { enum: string[] } } } = JSON.parse(readFileSync(file, "utf8"));
  expect([...subjects].toSorted()).toEqual(document.$defs.AuditSubject.enum.toSorted());
});

describe("ListAudit", () => {
  const list = async (payload: object, by?: string) => (await bank.operator("ListAudit", payload, by)).result;

  it("gives pages in either order, without gaps", async () => {
    for (let count = 0; count < 7; count += 1) await bank.operator("CreateCategory", { name: `C${count}` });
    for (const order of ["NEWEST", "OLDEST"]) {
      const sequences: number[] = [];
      for (let after: string | undefined, pages = 0; pages < 10; pages += 1) {
        const page = await list({ order, pageSize: 3, ...(after === undefined ? {} : { after }) });
        sequences.push(...page.entries.map(({ sequence }: AuditRecord) => sequence));
        after = page.next;
        if (after === undefined) break;
      }
      expect(sequences).toEqual(order === "OLDEST" ? [1, 2, 3, 4, 5, 6, 7] : [7, 6, 5, 4, 3, 2, 1]);
    }
  });

  it("is narrowed by subject, actor and time", async () => {
    const { categoryId } = (await bank.operator("CreateCategory", { name: "A" })).result;
    const start = bank.clock.now();
    bank.clock.advance(60_000);
    await bank.addUser({ userName: "deputy", realm: "operator" });
    await bank.operator("CreateCategory", { name: "B" }, "deputy");
    const names = async (payload: object) =>
      (await list(payload)).entries.map(({ changes: [first] }: AuditRecord) => first?.to);
    expect(await names({ subject: "category", subjectId: categoryId })).toEqual(["A"]);
    expect(await names({ actor: "deputy" })).toEqual(["B"]);
    const later = new Date(start + 1).toISOString();
    expect(await names({ from: later })).toEqual(["B"]);
    expect(await names({ to: later })).toEqual(["A"]);
    expect(await names({ to: later, order: "OLDEST" })).toEqual(["A"]);
    expect(await names({ subject: "category" })).toEqual(["B", "A"]);
    expect(await names({ subjectId: categoryId })).toEqual(["A"]);
    expect(await names({ subjectId: "x" })).toEqual([]);
    expect((await bank.operator("ListAudit", { after: "!" })).error?.code).toBe("BAD_INPUT");
  });

  it("finds what was entered beside an entry of a process whose clock differs", async () => {
    const names = async (payload: object) =>
      (await list(payload)).entries.map(({ changes: [first] }: AuditRecord) => first?.to);
    const start = bank.clock.now();
    const startDate = new Date(start).toISOString();
    await bank.operator("CreateCategory", { name: "after" });
    bank.clock.advance(-1);
    await bank.operator("CreateCategory", { name: "before" });
    expect(await names({ from: startDate })).toEqual(["after"]);
    expect(await names({ to: startDate, order: "OLDEST" })).toEqual(["before"]);
    expect((await list({ from: startDate, pageSize: 1 })).next).toBeUndefined();
  });

  it("is of the institution alone, and not for operators bound to customers", async () => {
    await bank.operator("CreateCategory", { name: "A" });
    expect((await list({}, "other-operator")).entries).toEqual([]);
    const { customerId } = (await bank.operator("CreateCustomer", ines)).result;
    await bank.addUser({ userName: "narrow", realm: "operator", groups: [customerId] });
    expect((await bank.operator("ListAudit", {}, "narrow")).error?.code).toBe("UNAUTHORIZED");
  });
});

describe("a change of what the transaction has found", () => {
  it("is compared with that, and the next change with what the store has then", async () => {
    const { customerId } = (await bank.operator("CreateCustomer", northwind)).result;
    const { result } = await bank.operator("AddLegalRep", { ...johanna, customerId });
    const changes: unknown[] = [];
    let finds = 0;
    await bank.store.write(async (tx) => {
      const counted = notedVerbs(tx, (name) => {
        if (name === "one legal_reps") finds += 1;
      });
      const audited = auditedStore(counted, {
        record: async (entry) =>
          void changes.push(entry.changes.map(({ field, to: value }) => [field, value])),
      });
      const rep = await audited.one(legalRepById, firstBank, result.legalRepId);
      if (rep === undefined) throw new Error("there is none");
      const inactive = { ...rep, status: "INACTIVE" as const };
      await audited.replace(legalReps, inactive, rep);
      expect(finds).toBe(1);
      await audited.replace(legalReps, rep);
      expect(finds).toBe(2);
    });
    expect(changes).toEqual([[["status", "INACTIVE"]], [["status", "ACTIVE"]]]);
  });

  it("is not over before its entry is written", async () => {
    const { customerId } = (await bank.operator("CreateCustomer", northwind)).result;
    const { result } = await bank.operator("AddLegalRep", { ...johanna, customerId });
    await bank.store.write(async (tx) => {
      const rep = await tx.one(legalRepById, firstBank, result.legalRepId);
      if (rep === undefined) throw new Error("there is none");
      const other = { ...rep, id: "other" };
      const changes: readonly ((audited: Writes) => Promise<unknown>)[] = [
        (audited) => audited.insert(legalReps, other),
        (audited) => audited.put(legalReps, { ...other, status: "INACTIVE" }),
        (audited) => audited.replace(legalReps, other),
        (audited) => audited.update(legalRepById, { status: "INACTIVE" }, firstBank, "other"),
        (audited) => audited.take(legalRepById, firstBank, "other"),
        (audited) => audited.remove(legalRepById, firstBank, rep.id),
      ];
      for (const change of changes) {
        const [begun, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const record = (): Promise<void> => {
          begun.resolve();
          return written.promise;
        };
        let isOver = false;
        const over = change(auditedStore(tx, { record })).then(() => (isOver = true));
        await begun.promise;
        await nextTurn();
        expect(isOver).toBe(false);
        written.resolve();
        await over;
      }
    });
  });
});
