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
    "admin AuditPageToken maxLength 64",
    "admin AuditSubject maxLength 64",
    "admin DeliveryAttempt.status maximum 999",
    "admin DeliveryPageToken maxLength 256",
    "admin EmailAddress maxLength 254",
    'admin EmailAddress pattern ^[^\\s@<>,;:"]+@[^\\s@<>,;:"]+$',
    "admin EventName maxLength 128",
    "admin GetBacklog.countTo maximum 10000",
    "admin InterfaceName maxLength 64",
    "admin IssueCredential.groups maxItems 200",
    "admin IssueCredential.scopes maxItems 100",
    "admin ListAudit.pageSize maximum 200",
    "admin ListDeadLetters.pageSize maximum 100",
    "admin ListDeliveries.pageSize maximum 100",
    "admin ListMails.pageSize maximum 100",
    "admin ListPageToken maxLength 200",
    "admin ListSubscriptions.pageSize maximum 100",
    "admin ListUsers.pageSize maximum 200",
    "admin MailKind maxLength 64",
    "admin ResendFailedMails.limit maximum 500",
    "admin RotateCredential.overlapSeconds maximum 604800",
    "admin RotateSubscriptionSecret.overlapSeconds maximum 604800",
    "admin Scope maxLength 128",
    "admin Scope pattern ^(?:\\*|[A-Za-z]+\\.\\*|[A-Za-z]+(?:\\.[A-Za-z]+)?)$",
    "admin UserName maxLength 64",
    "admin UserName pattern ^[A-Za-z0-9][A-Za-z0-9._@-]*$",
    "admin UserNamePart maxLength 40",
    "admin UserNamePart pattern ^[A-Za-z0-9][A-Za-z0-9._@-]*$",
    "ledger AccountService.ListAccounts.filter maxLength 1000",
    "ledger AccountService.ListAccounts.riskScore maximum 100",
    "ledger CustomerService.AddAccount.forms.business.custodialType maxLength 64",
    "ledger CustomerService.AddAccount.forms.consumer.custodialType maxLength 64",
    "operator AddLegalRep.name maxLength 200",
    "operator AddLegalRep.phoneNumber maxLength 40",
    "operator InviteUser.scopes maxItems 100",
    "operator InviteUser.validHours maximum 168",
    "operator IssueCredential.scopes maxItems 100",
    "operator ListAccounts.filter maxLength 1000",
    "operator ListAccounts.pageSize maximum 100",
    "operator ListBeneficiaries.pageSize maximum 100",
    "operator ListCategories.pageSize maximum 200",
    "operator ListCustomers.pageSize maximum 200",
    "operator ListDeliveries.pageSize maximum 100",
    "operator ListLegalReps.pageSize maximum 200",
    "operator ListMails.pageSize maximum 100",
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
    "operator RotateCredential.overlapSeconds maximum 604800",
    "operator SearchTransactions.pageSize maximum 100",
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
