import { beforeEach, describe, expect, it } from "vitest";
import type { MailState, OutboxMailRecord } from "../../runtime/store/ports/index.ts";
import { openBank, type Bank } from "./handlers-bank.ts";
import { openBusiness } from "./handlers-people.ts";
import { mailById, mailOfInstitution } from "../../runtime/store/tables/index.ts";

let bank: Bank;
let legalRepId = "";

beforeEach(async () => {
  bank = await openBank();
  ({ legalRepId } = await openBusiness(bank));
});

const register = (userName = "teller") => bank.operator("StartDeviceRegistration", { userName });
const logIn = () => bank.ledger("CustomerService.CreateLegalRepLogin", { legalrepID: legalRepId });

async function mails(payload: object = {}, by?: string): Promise<readonly { readonly mailId: string }[]> {
  return (await bank.operator("ListMails", payload, by)).result.mails;
}

async function become(state: MailState, changes: Partial<OutboxMailRecord> = {}): Promise<string> {
  const [{ mailId } = { mailId: "" }] = await mails();
  await bank.store.write((tx) =>
    tx.update(mailById, { state, dueAt: undefined, failures: 10, attempts: 10, ...changes }, mailId),
  );
  return mailId;
}

async function auditOf(mailId: string): Promise<readonly (readonly [string, string])[]> {
  const { entries } = (await bank.operator("ListAudit", { subject: "mail", subjectId: mailId })).result;
  return entries.map(({ operation, actor }: { operation: string; actor: string }) => [operation, actor]);
}

describe("mails", () => {
  it("are listed for operators without address and text, the newest first, page by page", async () => {
    await register();
    bank.clock.advance(1);
    await logIn();
    const [login, otp] = await mails();
    expect(login).toEqual({
      mailId: expect.any(String),
      kind: "portal-login",
      legalRepId,
      state: "PENDING",
      attempts: 0,
      nextAttemptDate: expect.any(String),
      createdDate: expect.any(String),
    });
    expect(otp).toMatchObject({
      kind: "one-time-password",
      userName: "teller",
      expiryDate: expect.any(String),
    });
    const { result } = await bank.operator("ListMails", { pageSize: 1 });
    expect(result.mails).toEqual([login]);
    expect(await mails({ pageSize: 1, after: result.next })).toEqual([otp]);
    expect(await mails({}, "other-operator")).toEqual([]);
    const asked = await bank.operator("GetMail", { mailId: login?.mailId }, "other-operator");
    expect(asked.error?.code).toBe("NOT_FOUND_MAIL");
  });

  it("that failed are sent again, which the audit log says, and those that were sent are not", async () => {
    await logIn();
    const mailId = await become("FAILED", { failedAt: 7 });
    expect(await mails({ state: "FAILED" })).toHaveLength(1);
    expect((await bank.operator("ResendMail", { mailId })).result).toEqual({ mailId, state: "PENDING" });
    const found = await bank.store.read((view) => view.one(mailOfInstitution, "091000019", mailId));
    expect(found).toMatchObject({ failures: 0, attempts: 10 });
    expect(found?.dueAt).toBeLessThanOrEqual(bank.clock.now());
    expect(await auditOf(mailId)).toEqual([["ResendMail", "operator"]]);
    await become("SENT");
    expect((await bank.operator("ResendMail", { mailId })).result).toEqual({ mailId, state: "SENT" });
    expect(await auditOf(mailId)).toHaveLength(1);
  });

  it("that failed are sent again together, and one is removed", async () => {
    await register();
    const first = await become("FAILED");
    bank.clock.advance(1);
    await register();
    const second = await become("FAILED");
    expect((await bank.operator("ResendFailedMails", { limit: 1 })).result).toEqual({
      queued: 1,
      more: true,
    });
    expect(await mails({ state: "FAILED" })).toMatchObject([{ mailId: first }]);
    expect((await bank.operator("ResendFailedMails", {})).result).toEqual({ queued: 1, more: false });
    expect((await bank.operator("RemoveMail", { mailId: second })).result).toEqual({ mailId: second });
    expect(await mails()).toMatchObject([{ mailId: first }]);
    expect(await auditOf(second)).toEqual([
      ["RemoveMail", "operator"],
      ["ResendFailedMails", "operator"],
    ]);
    const { findings } = await bank.store.verify();
    expect(findings).toEqual([]);
  });

  it("to a legal representative are replaced by a newer login and dropped with the login", async () => {
    await logIn();
    await become("FAILED");
    const other = (await openBusiness(bank)).legalRepId;
    await bank.ledger("CustomerService.CreateLegalRepLogin", { legalrepID: other });
    await logIn();
    const newest = { state: "PENDING", attempts: 0 };
    const ofOther = { ...newest, legalRepId: other };
    expect(await mails()).toMatchObject([{ ...newest, legalRepId }, ofOther]);
    await bank.ledger("CustomerService.UpdateLegalRepStatus", { ID: legalRepId, Status: "INACTIVE" });
    expect(await mails()).toMatchObject([ofOther]);
  });

  it("count in the backlog of their institution", async () => {
    await register();
    await become("FAILED");
    await logIn();
    const { result } = await bank.operator("GetBacklog", {});
    expect(result).toMatchObject({
      mails: { count: 1 },
      failedMails: { count: 1 },
      deadLetters: { count: 0 },
    });
    expect(result.mails.oldestDate).toBeDefined();
    const { result: other } = await bank.operator("GetBacklog", {}, "other-operator");
    expect([other.mails, other.failedMails]).toEqual([{ count: 0 }, { count: 0 }]);
  });
});
