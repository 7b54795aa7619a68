import type { ColumnType, ColumnValue } from "../../tables/column.ts";
import type { Table } from "../../tables/table.ts";
import type { Books } from "./books.ts";
import { messageOf } from "../../../contract/index.ts";
import type { Finding, FindingKind } from "../../ports/index.ts";

/** Comparisons of an application's own tables, beside those that every table has. */
export interface VerifyRules {
  /** Types of subjects whose audit entries its passes follow. */
  readonly subjects: readonly string[];
  /** Its tables whose rows name an institution that may be gone. */
  readonly tables: readonly string[];
  /** The names that its passes count records by, in the order of reports. */
  readonly counted: readonly string[];
  /** Its tables whose references the passes compare row by row: a database's own check leaves them out. */
  readonly referring: readonly string[];
  /** Data that a database keeps twice for speed, each compared with its source. */
  derived(dialect: BookRows["dialect"]): readonly DerivedRule[];
  passes(source: BookSource, audit: Books["audit"]): readonly Pass[];
}

/** Compares all records of a kind, institution by institution. */
interface Pass {
  /** As progress names it. */
  readonly part: string;
  readonly table: string;
  count(): number;
  /** Calls `tell` for each record. */
  verify(institutionId: string, findings: Findings, totals: Totals, tell: () => void): void;
}

/** Compares a derived table. Calls `wrong` for each record that differs. */
export interface DerivedRule {
  readonly table: string;
  verify(books: BookRows, wrong: (record: string, what: string) => void): void;
}

/** Counts of all passes. */
export interface Totals {
  /** Counts records by one of the names that the rules give. */
  count(name: string, records?: number): void;
  auditEntries: number;
  /** By currency, what has to be 0. */
  readonly sums: Map<string, bigint>;
}

/** Where books are read from: a database by SQL, or records in memory. */
export type BookSource = BookRows | { readonly kind: "records"; all<R>(table: Table<R>): readonly R[] };

/** How the books in a database are read: streams over one state of it. */
export interface BookRows {
  readonly kind: "sql";
  readonly dialect: "sqlite" | "postgres";
  rows(sql: string, values: readonly string[]): Iterable<Row>;
  placeholder(position: number): string;
  fromSql(type: ColumnType, value: Value): ColumnValue;
  /** The texts of a JSON list in a column, as a table `n` with the column `value`. */
  jsonItems(column: string): string;
  jsonFirst(column: string): string;
  /** A table that is read through one of its indexes. */
  through(table: string, index: string): string;
}

export type Value = string | number | bigint | boolean | null;
export type Row = readonly (Value | undefined)[];

/** Asks with `?` for each value. */
export function asker({ rows, placeholder }: BookRows): (sql: string, ...values: string[]) => Iterable<Row> {
  return (sql, ...values) => {
    let position = 0;
    return rows(
      sql.replaceAll("?", () => placeholder((position += 1))),
      values,
    );
  };
}

/** The member, where there is a value. */
export function present<Name extends string>(
  name: Name,
  value: Value | undefined,
): { readonly [Member in Name]?: string } {
  const member: { [Member in Name]?: string } = {};
  if (value !== null && value !== undefined) member[name] = String(value);
  return member;
}

/** A finding before it is said what to do. */
type FindingDraft = Omit<Finding, "todo">;

const restore =
  "Stop the service and keep a copy of the database (a file's -wal and -shm files, too). Compare what is named with the last " +
  "backup that verifies as sound; restore that backup, and record again what came after it.";

const todos: Readonly<Record<FindingKind, string>> = {
  file:
    "Stop the service, keep a copy of the database (a file's -wal and -shm files, too), check the disk, and restore the last " +
    "backup that verifies as sound.",
  root:
    "Stop the service and keep a copy of the database. Entries that were once there are lost or rewritten: restore the " +
    "newest backup that verifies against the root.",
};

/** Collects what is found: counts all of it, keeps the first of each kind. */
export interface Findings {
  add(finding: FindingDraft): void;
  /** Runs a part of the verification; an error of it, such as an unreadable page, is a finding. */
  during(table: string, work: () => void): void;
  counts(): Readonly<Record<FindingKind, number>>;
  kept(): readonly Finding[];
}

const keptOfEachKind = 100;

export function createFindings(): Findings {
  const counts: Record<FindingKind, number> = {};
  const kept: Finding[] = [];

  function add(finding: FindingDraft): void {
    const count = (counts[finding.kind] ?? 0) + 1;
    counts[finding.kind] = count;
    if (count <= keptOfEachKind) kept.push({ ...finding, todo: todos[finding.kind] ?? restore });
  }

  return {
    add,
    during: (table, work) => {
      try {
        work();
      } catch (error) {
        const reason = messageOf(error);
        add({ kind: "file", table, what: `cannot be read to its end: ${reason}` });
      }
    },
    counts: () => counts,
    kept: () => kept,
  };
}

/**
 * Recomputes what a database holds twice for the sake of speed: what the application derives, and
 *
 * - `event_sequences` from the numbers that `deliveries` were given: none is given twice;
 * - `deliveries.attempts` from `delivery_attempts`.
 *
 * Indexes are recomputed by a database's own check. Not recomputed, because retention removes what they were counted
 * from: the statistics in `endpoint_health`. `anew` is called before each rule.
 */
export function verifyDerived(
  rules: VerifyRules | undefined,
  books: BookRows,
  findings: Findings,
  anew: () => void = () => undefined,
): void {
  for (const { table, verify } of [...(rules?.derived(books.dialect) ?? []), ...ownRules]) {
    anew();
    findings.during(table, () =>
      verify(books, (record, what) => findings.add({ kind: "derived", table, record, what })),
    );
  }
}

/** A rule of one statement, which gives the records that differ and what is wrong with each. */
export function differing(table: string, sql: (books: BookRows) => string): DerivedRule {
  return {
    table,
    verify: (books, wrong) => {
      for (const [record, what] of books.rows(sql(books), [])) wrong(String(record), String(what));
    },
  };
}

const ownRules: readonly DerivedRule[] = [
  differing(
    "event_sequences",
    ({ jsonFirst }) => `SELECT d.subscription_id || ' ' || d.topic AS record,
        'its last number is ' || coalesce(e.last, 0) || ', a delivery has ' || d.most || ': numbers would repeat' AS what
      FROM (
        SELECT subscription_id, ${jsonFirst("topics")} AS topic, max(sequence) AS most
        FROM deliveries GROUP BY 1, 2
      ) d
      LEFT JOIN event_sequences e ON e.subscription_id = d.subscription_id AND e.topic = d.topic
      WHERE d.most > coalesce(e.last, 0)
        AND EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = d.subscription_id)`,
  ),
  differing(
    "deliveries",
    () => `SELECT d.id AS record, 'attempts is ' || d.attempts || ', there are ' || d.made AS what
      FROM (
        SELECT id, attempts,
          (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = deliveries.id) AS made
        FROM deliveries
      ) d WHERE d.attempts <> d.made`,
  ),
];
