import { expect, test } from "vitest";
import { apiKeys, apiKeysOfUser } from "../../runtime/store/tables/index.ts";
import { openBank, publicKeyPem, type Bank } from "./handlers-bank.ts";
import { balancesOf, expectSound, transfer } from "./handlers-transfers.ts";
import { openAccount, openBusiness } from "./handlers-people.ts";

const hourMs = 3_600_000;

async function careful(): Promise<Bank> {
  const approvals = { moneyAbove: 100, credentials: true, accounts: true, validHours: 24 };
  const bank = await openBank({ approvals });
  await bank.addUser({ userName: "second", realm: "operator" });
  return bank;
}

const tablet = { userName: "tablet", email: "it@x.example" };

interface Proposed {
  readonly proposalId: string;
  readonly digest: string;
}

async function propose(bank: Bank, operation: string, payload: object, by?: string): Promise<Proposed> {
  const answer = await bank.operator("ProposeChange", { operation, payload: JSON.stringify(payload) }, by);
  expect(answer.error).toBeUndefined();
  const { proposalId, digest } = answer.result.proposal;
  return { proposalId, digest };
}

const reasonOf = ({ error }: Awaited<ReturnType<Bank["operator"]>>) => [error?.code, error?.data?.reason];

test("without the settings nobody has to approve anything", async () => {
  const bank = await openBank();
  expect((await bank.operator("IssueCredential", tablet)).error).toBeUndefined();
});

test("a credential is issued by two operators, once, and the audit log has both", async () => {
  const bank = await careful();
  expect((await bank.operator("IssueCredential", tablet)).error?.code).toBe("APPROVAL_NEEDED");
  expect((await bank.operator("GetUser", { userName: "091000019.tablet" })).error?.code).toBe(
    "NOT_FOUND_CREDENTIAL",
  );
  const proposed = await propose(bank, "IssueCredential", tablet);
  const approved = await bank.operator("ApproveProposal", proposed, "second");
  expect(approved.error).toBeUndefined();
  const { proposal, result } = approved.result;
  expect(proposal).toMatchObject({ state: "APPROVED", proposedBy: "operator", decidedBy: "second" });
  expect(JSON.parse(result)).toMatchObject({ userName: "091000019.tablet", apiKey: expect.any(String) });
  expect((await bank.operator("GetUser", { userName: "091000019.tablet" })).error).toBeUndefined();
  expect((await bank.operator("GetProposal", idOnly(proposed))).text, "the key was shown once").not.toContain(
    JSON.parse(result).apiKey,
  );

  await bank.addUser({ userName: "third", realm: "operator" });
  for (const by of ["second", "third"])
    expect(reasonOf(await bank.operator("ApproveProposal", proposed, by))).toEqual(["CONFLICT", "decided"]);
  const { entries } = (
    await bank.operator("ListAudit", { subject: "proposal", subjectId: proposed.proposalId })
  ).result;
  expect(
    entries.map((entry: { actor: string; operation: string }) => [entry.actor, entry.operation]),
  ).toEqual([
    ["second", "ApproveProposal"],
    ["operator", "ProposeChange"],
  ]);
  const made = await bank.operator("ListAudit", { subject: "user", subjectId: "091000019.tablet" });
  expect(made.result.entries[0]).toMatchObject({ actor: "second", operation: "ApproveProposal" });
  await expectSound(bank);
});

test("who proposes does not approve, whichever key signs", async () => {
  const bank = await careful();
  const proposed = await propose(bank, "IssueCredential", tablet);
  expect(reasonOf(await bank.operator("ApproveProposal", proposed))).toEqual(["CONFLICT", "own-proposal"]);
  const own = { userName: "operator", PublicKey: publicKeyPem.toString() };
  const { KeyId: keyId } = (await bank.operator("RegisterKey", own)).result;
  const byOtherKey = await bank.operator("ApproveProposal", proposed, { userName: "operator", keyId });
  expect(reasonOf(byOtherKey)).toEqual(["CONFLICT", "own-proposal"]);
  expect((await bank.operator("GetProposal", idOnly(proposed))).result.proposal.state).toBe("OPEN");
});

test("a proposal is decided once, in time, as it was read, by one who may", async () => {
  const bank = await careful();
  const decide = async (payload: object, by = "second") =>
    reasonOf(await bank.operator("ApproveProposal", payload, by));
  const proposed = await propose(bank, "IssueCredential", tablet);
  expect(await decide({ ...proposed, digest: "0".repeat(64) })).toEqual(["CONFLICT", "another-digest"]);
  expect(await decide({ ...proposed, proposalId: "nothing" })).toEqual(["NOT_FOUND_PROPOSAL", undefined]);
  expect(await decide(proposed, "other-operator"), "of another institution").toEqual([
    "NOT_FOUND_PROPOSAL",
    undefined,
  ]);
  await bank.addUser({ userName: "clerk", realm: "operator", scopes: ["ApproveProposal", "GetProposal"] });
  expect(await decide(proposed, "clerk")).toEqual(["CONFLICT", "operation-not-allowed"]);

  const rejected = await bank.operator("RejectProposal", { ...idOnly(proposed), reason: "No" }, "second");
  expect(rejected.result.proposal).toMatchObject({ state: "REJECTED", decidedBy: "second", reason: "No" });
  expect(await decide(proposed)).toEqual(["CONFLICT", "decided"]);
  const withdrawn = await propose(bank, "IssueCredential", tablet);
  expect((await bank.operator("RejectProposal", idOnly(withdrawn))).result.proposal.state).toBe("WITHDRAWN");

  const late = await propose(bank, "IssueCredential", tablet);
  bank.clock.advance(24 * hourMs);
  expect(await decide(late)).toEqual(["CONFLICT", "expired"]);
  const states = async (state: string) =>
    (await bank.operator("ListProposals", { state })).result.proposals.map(
      ({ proposalId }: Proposed) => proposalId,
    );
  expect(await states("EXPIRED")).toEqual([late.proposalId]);
  expect(await states("OPEN")).toEqual([]);
  expect(await states("REJECTED")).toEqual([proposed.proposalId]);

  await bank.addUser({ userName: "gone", realm: "operator" });
  const orphan = await propose(bank, "IssueCredential", tablet, "gone");
  await bank.store.write(async (tx) => {
    for (const key of await apiKeysOfUser(tx, "gone"))
      await tx.replace(apiKeys, { ...key, revokedAt: bank.clock.now() }, key);
  });
  expect(await decide(orphan)).toEqual(["CONFLICT", "proposer-revoked"]);
});

test("what cannot be done or read is not proposed", async () => {
  const bank = await careful();
  const refused = async (operation: string, payload: string, by?: string) => {
    const { error } = await bank.operator("ProposeChange", { operation, payload }, by);
    return [error?.data?.field, error?.data?.reason];
  };
  expect(await refused("ListUsers", "{}")).toEqual(["/operation", "not-proposable"]);
  expect(await refused("ApproveProposal", "{}")).toEqual(["/operation", "not-proposable"]);
  await bank.addUser({ userName: "clerk", realm: "operator", scopes: ["ProposeChange"] });
  expect(await refused("IssueCredential", JSON.stringify(tablet), "clerk")).toEqual([
    "/operation",
    "not-proposable",
  ]);
  for (const payload of [
    "{}",
    "[]",
    "{",
    '{"userName":"a","userName":"b","email":"a@b.example"}',
    '{"userName":"a","email":"a@b.example","surprise":1}',
    '{"userName":"a","email":"a@b.example"}},"x":{',
    '{"userName":"a\\u0007","email":"a@b.example"}',
  ])
    expect(await refused("IssueCredential", payload), payload).toEqual(["/payload", "payload"]);
});

test("money above the limit moves by two operators, fees and taxes counted", async () => {
  const bank = await careful();
  const { customerId } = await openBusiness(bank);
  const { ID, accountNumber } = await openAccount(bank, customerId);
  const deposit = (amount: number, more: object = {}) =>
    transfer(undefined, accountNumber, { amount, CustomerId: customerId, ...more });
  expect((await bank.operator("RecordTransaction", deposit(100))).error).toBeUndefined();
  const fee = { Amount: 0.99, Currency: "USD", Tax: 0.02 };
  for (const [payload, code] of [
    [deposit(100.01), "APPROVAL_NEEDED"],
    [deposit(99, { Fees: [fee] }), "APPROVAL_NEEDED"],
    [deposit(98.98, { Fees: [fee] }), undefined],
    [deposit(500, { Status: "FAILED" }), undefined],
  ] as const)
    expect((await bank.operator("RecordTransaction", payload)).error?.code).toBe(code);

  const pending = deposit(700, { Status: "PENDING" });
  expect((await bank.operator("RecordTransaction", pending)).error).toBeUndefined();
  const { ReferenceId } = pending;
  const complete = { ReferenceId, Status: "COMPLETED" };
  expect((await bank.operator("UpdateTransactionStatus", complete)).error?.code).toBe("APPROVAL_NEEDED");
  const before = await balancesOf(bank, ID);
  const proposed = await propose(bank, "UpdateTransactionStatus", complete);
  expect((await bank.operator("ApproveProposal", proposed, "second")).error).toBeUndefined();
  expect((await balancesOf(bank, ID)).balance).toBe(before.balance + 700);

  const large = await propose(bank, "RecordTransaction", deposit(1_000.1));
  expect((await bank.operator("ApproveProposal", large, "second")).error).toBeUndefined();
  expect((await balancesOf(bank, ID)).balance).toBe(before.balance + 1_700.1);
  await expectSound(bank);
});

test("a change that fails leaves the proposal open, and says at which field", async () => {
  const bank = await careful();
  const payload = { accountNumber: "999", status: "BLOCKED" };
  expect((await bank.operator("SetAccountStatus", payload)).error?.code).toBe("APPROVAL_NEEDED");
  const mark = { accountNumber: "999", institutionOwned: true };
  expect((await bank.operator("MarkInstitutionAccount", mark)).error?.code).toBe("APPROVAL_NEEDED");
  const proposed = await propose(bank, "SetAccountStatus", payload);
  const { error } = await bank.operator("ApproveProposal", proposed, "second");
  expect(error).toMatchObject({
    code: "NOT_FOUND_ACCOUNT",
    data: { field: "/proposalId", payloadField: "/accountNumber" },
  });
  expect((await bank.operator("GetProposal", idOnly(proposed))).result.proposal.state).toBe("OPEN");
});

test("an approval gives nobody more than the one who proposed sees", async () => {
  const bank = await careful();
  const [own, other] = [await openBusiness(bank), await openBusiness(bank)];
  const foreign = await openAccount(bank, other.customerId);
  await bank.addUser({ userName: "branch", realm: "operator", groups: [own.customerId] });
  await bank.addUser({ userName: "elsewhere", realm: "operator", groups: [other.customerId] });
  const block = { accountNumber: foreign.accountNumber, status: "BLOCKED" };
  const proposed = await propose(bank, "SetAccountStatus", block, "branch");
  const answer = await bank.operator("ApproveProposal", proposed, "second");
  expect(answer.error?.code, "the account is not the branch's").toBe("NOT_FOUND_ACCOUNT");
  expect((await bank.operator("GetProposal", idOnly(proposed), "elsewhere")).error?.code).toBe(
    "NOT_FOUND_PROPOSAL",
  );
  const seen = await bank.operator("ListProposals", {}, "elsewhere");
  expect(seen.result.proposals).toEqual([]);
  const issued = await propose(bank, "IssueCredential", tablet, "branch");
  expect((await bank.operator("ApproveProposal", issued, "second")).error).toBeUndefined();
  const { user } = (await bank.operator("GetUser", { userName: "091000019.tablet" })).result;
  expect(user.customerIds).toEqual([own.customerId]);
});

/** What names a proposal, without its digest. */
function idOnly({ proposalId }: Proposed): { readonly proposalId: string } {
  return { proposalId };
}
