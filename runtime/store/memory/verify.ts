import type { LedgerVerification, VerifyOptions } from "../ports/index.ts";
import { inKeyOrder } from "../common/code-points.ts";
import { auditEntries, chainRoots, institutions, users, type Table } from "../tables/index.ts";
import {
  createFindings,
  verifyBooks,
  type AuditBook,
  type AuditSubjects,
  type Books,
  type NumberedBook,
} from "../common/verify/index.ts";
import type { Schema } from "../tables/schema.ts";
import type { StateReader } from "./state.ts";

type All = <R>(table: Table<R>) => readonly R[];

/** As every store verifies its books; those in memory have no file that could be damaged. */
export function verifyMemory(
  schema: Schema,
  state: StateReader,
  options: VerifyOptions = {},
): LedgerVerification {
  const all: All = (table) => [...state.rows(table).byKey.values()].map((row) => table.decode(row));
  return verifyBooks(schema, memoryBooks(state, all), { kind: "records", all }, createFindings(), options);
}

function memoryBooks(state: StateReader, all: All): Books {
  const audit: readonly (AuditBook & NumberedBook)[] = all(auditEntries).map(
    ({ sequence = 0, changes, ...entry }) => ({
      ...entry,
      sequence,
      changes: JSON.stringify(changes),
    }),
  );

  return {
    institutions: () => inKeyOrder(all(institutions), ({ id }) => [id]).map(({ id }) => id),
    // Nothing that is kept in memory is sealed.
    sealKeyId: () => undefined,
    sealedTexts: () => [],
    audit: (institutionId, subjects) =>
      inKeyOrder(
        audit.filter((entry) => entry.institutionId === institutionId && isOf(entry, subjects)),
        ({ subjectType, subjectId, position }) => [subjectType, subjectId, position],
      ),
    records: (institutionId, { table, subject, owner, isOfUser }) => {
      const owners = isOfUser
        ? all(users)
            .filter((user) => user.institutionId === institutionId)
            .map(({ userName }) => userName)
        : [institutionId];
      return inKeyOrder(
        [...state.rows(table).byKey.values()].filter((row) => owners.includes(String(row[owner.index]))),
        (row) => [String(row[subject.index])],
      );
    },
    auditInOrder: () => audit,
    roots: () => inKeyOrder(all(chainRoots), ({ sequence }) => [sequence]),
  };
}

function isOf({ subjectType }: AuditBook, subjects: AuditSubjects): boolean {
  return "only" in subjects ? subjectType === subjects.only : !subjects.except.includes(subjectType);
}
