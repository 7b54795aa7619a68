import type { LedgerVerification, VerifyOptions } from "../../ports/index.ts";
import { compareCodePoints } from "../condition/code-points.ts";
import { accounts, postings, transactions } from "../tables/records.ts";
import { auditEntries, chainRoots, institutions, users, type Table } from "../tables/index.ts";
import {
  createFindings,
  verifyBooks,
  type AuditBook,
  type AuditSubjects,
  type Books,
  type NumberedBook,
} from "../common/verify/index.ts";
import type { StateReader } from "./state.ts";

/** As every store verifies its books; those in memory have no file that could be damaged. */
export function verifyMemory(state: StateReader, options: VerifyOptions = {}): LedgerVerification {
  return verifyBooks(memoryBooks(state), createFindings(), options);
}

function memoryBooks(state: StateReader): Books {
  const all = <R>(table: Table<R>): readonly R[] =>
    [...state.rows(table).byKey.values()].map((row) => table.decode(row));
  const of = <R extends { readonly institutionId: string }>(table: Table<R>, id: string): readonly R[] =>
    all(table).filter(({ institutionId }) => institutionId === id);
  const links = all(postings);
  const audit: readonly (AuditBook & NumberedBook)[] = all(auditEntries).map(
    ({ sequence = 0, changes, ...entry }) => ({
      ...entry,
      sequence,
      changes: JSON.stringify(changes),
    }),
  );

  return {
    institutions: () => inOrder(all(institutions), ({ id }) => [id]).map(({ id }) => id),
    count: (table) => state.rows(table === "accounts" ? accounts : transactions).byKey.size,
    accounts: (institutionId) =>
      inOrder(of(accounts, institutionId), ({ id }) => [id]).map((account) => ({
        ...account,
        head: headOf(
          links.filter((link) => link.institutionId === institutionId && link.accountId === account.id),
        ),
      })),
    // Nothing that is kept in memory is sealed.
    sealKeyId: () => undefined,
    sealedTexts: () => [],
    postings: (id) => inOrder(of(postings, id), ({ accountId, position }) => [accountId, position]),
    pending: (id) =>
      inOrder(
        of(transactions, id).filter(({ status }) => status === "PENDING"),
        ({ debtorAccountId }) => [debtorAccountId],
      ),
    transactions: (institutionId) => inOrder(of(transactions, institutionId), ({ id }) => [id]),
    postingsByTransaction: (institutionId) =>
      inOrder(of(postings, institutionId), ({ transactionId, id }) => [transactionId, id]),
    audit: (institutionId, subjects) =>
      inOrder(
        audit.filter((entry) => entry.institutionId === institutionId && isOf(entry, subjects)),
        ({ subjectType, subjectId, position }) => [subjectType, subjectId, position],
      ),
    records: (institutionId, { table, subject, owner, isOfUser }) => {
      const owners = isOfUser ? of(users, institutionId).map(({ userName }) => userName) : [institutionId];
      return inOrder(
        [...state.rows(table).byKey.values()].filter((row) => owners.includes(String(row[owner.index]))),
        (row) => [String(row[subject.index])],
      );
    },
    auditInOrder: () => audit,
    roots: () => inOrder(all(chainRoots), ({ sequence }) => [sequence]),
    customerOf: (institutionId, accountId) =>
      of(accounts, institutionId).find(({ id }) => id === accountId)?.customerId,
  };
}

function headOf(links: readonly { readonly position: number; readonly hash: string }[]) {
  return links.reduce((head, link) => (link.position > head.position ? link : head), {
    position: 0,
    hash: "",
  });
}

function isOf({ subjectType }: AuditBook, subjects: AuditSubjects): boolean {
  const isNamed = subjectType === "account" || subjectType === "transaction";
  return subjects === "other" ? !isNamed : subjectType === subjects;
}

function inOrder<R>(rows: readonly R[], keyOf: (row: R) => readonly (string | number)[]): readonly R[] {
  return rows.toSorted((left, right) => {
    const [leftKey, rightKey] = [keyOf(left), keyOf(right)];
    for (const [index, value] of leftKey.entries()) {
      const other = rightKey[index];
      const difference =
        typeof value === "number" && typeof other === "number"
          ? value - other
          : compareCodePoints(String(value), String(other));
      if (difference !== 0) return difference;
    }
    return 0;
  });
}
