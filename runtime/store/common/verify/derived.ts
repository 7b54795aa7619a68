import type { Schema } from "../../tables/schema.ts";
import type { Findings } from "./findings.ts";
import type { BookRows, DerivedRule } from "./rules.ts";

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
  { verify }: Schema,
  books: BookRows,
  findings: Findings,
  anew: () => void = () => undefined,
): void {
  for (const { table, verify: compare } of [...(verify?.derived(books.dialect) ?? []), ...ownRules]) {
    anew();
    findings.during(table, () =>
      compare(books, (record, what) => findings.add({ kind: "derived", table, record, what })),
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
