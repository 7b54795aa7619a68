import type { ChainRootRecord } from "../../ports/index.ts";
import type { ColumnValue, SealedPart } from "../../tables/column.ts";
import type { ColumnShape, TableShape } from "../../tables/table.ts";
import { compareCodePoints } from "../code-points.ts";

/**
 * What verification reads of every store: streams, each in the stated order, by code points, of one state. Values are as
 * they are kept, however damaged.
 */
export interface Books {
  /** Every institution that anything belongs to. */
  institutions(): readonly string[];
  /** By type, subject, then position. */
  audit(institutionId: string, subjects: AuditSubjects): Iterable<AuditBook>;
  /**
   * A table whose records have audit entries, in column order, with the columns by which entries name them. Sealed
   * columns hold `null`.
   */
  records(institutionId: string, rows: AuditedRows): Iterable<readonly ColumnValue[]>;
  /** Identifier of the key that seals now, if there is one. */
  sealKeyId(): string | undefined;
  /** The texts of a place that is sealed, with the keys of their rows. */
  sealedTexts(place: SealedPlace): Iterable<readonly [record: string, text: string]>;
  /** All that have a sequence, by it. */
  auditInOrder(): Iterable<NumberedBook>;
  /** By sequence. */
  roots(): readonly ChainRootRecord[];
}

/** Types of subjects: one, or all but some. */
export type AuditSubjects = { readonly only: string } | { readonly except: readonly string[] };

/** The numbers of an audit entry: among all, and among those of its institution. */
export interface NumberedBook extends Pick<AuditBook, "sequence" | "institutionId" | "hash"> {
  readonly number?: number;
}

/** An audit entry as it is kept. */
export interface AuditBook {
  readonly sequence: number;
  readonly institutionId: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly position: number;
  readonly operation: string;
  readonly changedAt: number;
  readonly userName?: string;
  readonly keyId?: string;
  /** JSON. */
  readonly changes: string;
  readonly contentHash?: string;
  readonly hash: string;
}

/** A table whose records have audit entries by a rule. */
export interface AuditedRows {
  readonly subjectType: string;
  readonly table: TableShape;
  /** The column that audit entries name a record by. */
  readonly subject: ColumnShape;
  /** The column of the institution; where rows have none, of the user that is in one. */
  readonly owner: ColumnShape;
  readonly isOfUser: boolean;
  /** The fields that entries tell the values of. */
  readonly told: readonly string[];
  /** Names that earlier entries have for fields, by their present name. */
  readonly formerNames: ReadonlyMap<string, string>;
  /** The values of fields in rows that are older than the column. */
  readonly standards: ReadonlyMap<string, string | undefined>;
  /** The values that a row's audit entries should result in, field by field. Throws for values that are never written. */
  recordedOf(values: readonly ColumnValue[]): ReadonlyMap<string, string | undefined>;
}

/** A column that holds sealed texts. */
export interface SealedPlace {
  readonly table: TableShape;
  readonly column: string;
  readonly part: SealedPart;
}

/** Walks rows that are in the order of a key, beside another stream in the same order. */
export interface Cursor<Row> {
  /** The rows from here whose key is less than this one; all that are left without one. */
  before(key?: string): Iterable<Row>;
  /** The rows from here with this key. */
  at(key: string): Iterable<Row>;
  /** The key of the row that is next. */
  next(): string | undefined;
}

/** Nothing is kept of rows that were passed. */
export function cursorOver<Row>(rows: Iterable<Row>, keyOf: (row: Row) => string): Cursor<Row> {
  const iterator = rows[Symbol.iterator]();
  let next = iterator.next();

  function* whileNext(isIncluded: (key: string) => boolean): Generator<Row> {
    while (next.done !== true && isIncluded(keyOf(next.value))) {
      const row = next.value;
      next = iterator.next();
      yield row;
    }
  }

  return {
    before: (key) =>
      whileNext((nextKey) => key === undefined || (nextKey !== key && compareCodePoints(nextKey, key) < 0)),
    next: () => (next.done === true ? undefined : keyOf(next.value)),
    at: (key) => whileNext((nextKey) => nextKey === key),
  };
}
