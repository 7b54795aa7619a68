import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const bounds = new Set(["maxLength", "maximum", "maxItems", "pattern"]);

/** Upper bounds of a value, by where the spec states them: `ListUsers.pageSize maximum 200`. */
function boundsIn(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (bounds.has(name) && typeof part !== "object") return [`${path} ${name} ${String(part)}`];
    return boundsIn(part, placeOf(path, name, part));
  });
}

/** Lists of fields name their items; the members between them say nothing. */
function placeOf(path: string, name: string, part: unknown): string {
  if (/^(?:methods|types|payload|result|fields)$/.test(name)) return path;
  const own = typeof part === "object" && part !== null ? Reflect.get(part, "name") : undefined;
  return [path, typeof own === "string" ? own : name].filter((each) => each !== "").join(".");
}

test("callers may send at most this: whoever changes a bound says so here, and in docs/limits.md", () => {
  const files = globSync("spec/*/{methods,types}/*.yaml", { cwd: root }).toSorted();
  const found = files.flatMap((file) =>
    boundsIn(parse(readFileSync(join(root, file), "utf8")), "").map(
      (each) => `${file.split("/")[1]} ${each}`,
    ),
  );
  expect(found.toSorted()).toEqual([
    "ledger AccountService.ListAccounts.filter maxLength 1000",
    "ledger AccountService.ListAccounts.riskScore maximum 100",
    "ledger CustomerService.AddAccount.forms.business.custodialType maxLength 64",
    "ledger CustomerService.AddAccount.forms.consumer.custodialType maxLength 64",
    "operator AddLegalRep.name maxLength 200",
    "operator AddLegalRep.phoneNumber maxLength 40",
    "operator AuditPageToken maxLength 64",
    "operator DeliveryAttempt.status maximum 999",
    "operator DeliveryPageToken maxLength 256",
    "operator EmailAddress maxLength 254",
    'operator EmailAddress pattern ^[^\\s@<>,;:"]+@[^\\s@<>,;:"]+$',
    "operator GetBacklog.countTo maximum 10000",
    "operator InterfaceName maxLength 64",
    "operator InviteUser.scopes maxItems 100",
    "operator InviteUser.validHours maximum 168",
    "operator IssueCredential.scopes maxItems 100",
    "operator ListAccounts.filter maxLength 1000",
    "operator ListAccounts.pageSize maximum 100",
    "operator ListAudit.pageSize maximum 200",
    "operator ListBeneficiaries.pageSize maximum 100",
    "operator ListCategories.pageSize maximum 200",
    "operator ListCustomers.pageSize maximum 200",
    "operator ListDeadLetters.pageSize maximum 100",
    "operator ListDeliveries.pageSize maximum 100",
    "operator ListLegalReps.pageSize maximum 200",
    "operator ListMails.pageSize maximum 100",
    "operator ListPageToken maxLength 200",
    "operator ListProposals.pageSize maximum 100",
    "operator ListShareHolders.pageSize maximum 200",
    "operator ListSources.pageSize maximum 100",
    "operator ListSubscriptions.pageSize maximum 100",
    "operator ListTransactions.pageSize maximum 100",
    "operator ListUsers.pageSize maximum 200",
    "operator ProposeChange.note maxLength 500",
    "operator ProposeChange.operation maxLength 64",
    "operator ProposeChange.payload maxLength 4000",
    "operator RejectProposal.reason maxLength 500",
    "operator RenewInvitation.validHours maximum 168",
    "operator ResendFailedMails.limit maximum 500",
    "operator RotateCredential.overlapSeconds maximum 604800",
    "operator RotateSubscriptionSecret.overlapSeconds maximum 604800",
    "operator Scope maxLength 128",
    "operator Scope pattern ^(?:\\*|[A-Za-z]+\\.\\*|[A-Za-z]+(?:\\.[A-Za-z]+)?)$",
    "operator SearchTransactions.pageSize maximum 100",
    "operator UserName maxLength 64",
    "operator UserName pattern ^[A-Za-z0-9][A-Za-z0-9._@-]*$",
    "operator UserNamePart maxLength 40",
    "operator UserNamePart pattern ^[A-Za-z0-9][A-Za-z0-9._@-]*$",
    "partner KeyChallenge maxLength 512",
    "partner KeyChallenge pattern ^register-key:[A-Za-z0-9._-]+$",
    "partner ListAccounts.filter maxLength 1000",
    "partner ListAccounts.pageSize maximum 100",
    "partner ListDeliveries.pageSize maximum 100",
    "partner ListSubscriptions.pageSize maximum 100",
    "partner RegisterKey.proof maxLength 256",
    "partner RotateSubscriptionSecret.overlapSeconds maximum 604800",
  ]);
});
