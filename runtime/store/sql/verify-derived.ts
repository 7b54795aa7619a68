import type { Findings } from "../common/verify/index.ts";

/** How a database reads a list of texts that a column holds as JSON. */
export interface JsonTexts {
  /** The items as a table `n` with the column `value`. */
  items(column: string): string;
  first(column: string): string;
}

/**
 * Recomputes what every SQL database holds twice for the sake of speed:
 *
 * - `subscription_accounts` from the numbers of `subscriptions` and from `accounts`;
 * - `event_sequences` from the numbers that `deliveries` were given: none is given twice;
 * - `deliveries.attempts` from `delivery_attempts`;
 * - `transaction_marks` from `transactions`.
 */
export function verifyDifferences(
  rows: (sql: string) => Iterable<readonly unknown[]>,
  json: JsonTexts,
  findings: Findings,
): void {
  for (const { table, sql } of [...differences(json), wrongTransactionMarks()]) {
    findings.during(table, () => {
      for (const [record, what] of rows(sql)) {
        findings.add({ kind: "derived", table, record: String(record), what: String(what) });
      }
    });
  }
}

const expectedNumbers = ({
  items,
}: JsonTexts): string => `SELECT DISTINCT s.institution_id, s.id AS subscription_id, n.value AS account_number, a.customer_id
  FROM subscriptions s CROSS JOIN ${items("s.group_id")}
  LEFT JOIN accounts a ON a.institution_id = s.institution_id AND a.number = n.value`;
const keptNumbers =
  "SELECT institution_id, subscription_id, account_number, customer_id FROM subscription_accounts";
const numberRecord = "subscription_id || ' ' || account_number AS record";

/** A statement that gives records and what is wrong with each. */
interface Difference {
  readonly table: string;
  readonly sql: string;
}

/** Looks only at accounts that have marks. */
function wrongTransactionMarks(): Difference {
  const sides = ["debtor", "creditor"].map(
    (side) => `SELECT institution_id, ${side}_account_id AS account_id, created_at, id FROM transactions
      WHERE (institution_id, ${side}_account_id) IN (SELECT institution_id, account_id FROM transaction_marks)`,
  );
  return {
    table: "transaction_marks",
    sql: `SELECT m.account_id || ' ' || m.id AS record,
        'counts ' || m.counted || ' transactions of the account up to it, there are ' || coalesce(CAST(n.counted AS TEXT), 'others') AS what
      FROM transaction_marks m LEFT JOIN (
        SELECT institution_id, account_id, created_at, id,
          row_number() OVER (PARTITION BY institution_id, account_id ORDER BY created_at, id) AS counted
        FROM (${sides.join(" UNION ALL ")}) AS sides
      ) n ON n.institution_id = m.institution_id AND n.account_id = m.account_id
        AND n.created_at = m.created_at AND n.id = m.id
      WHERE n.counted IS NULL OR n.counted <> m.counted`,
  };
}

const differences = (json: JsonTexts): readonly Difference[] => [
  {
    table: "subscription_accounts",
    sql: `SELECT ${numberRecord}, 'is missing, or of another customer: the subscription names the account' AS what
      FROM (${expectedNumbers(json)} EXCEPT ${keptNumbers}) lacking
      UNION ALL SELECT ${numberRecord}, 'the subscription does not name it, or it is of another customer' AS what
      FROM (${keptNumbers} EXCEPT ${expectedNumbers(json)}) extra`,
  },
  {
    table: "event_sequences",
    sql: `SELECT d.subscription_id || ' ' || d.number AS record,
        'its last number is ' || coalesce(e.last, 0) || ', a delivery has ' || d.most || ': numbers would repeat' AS what
      FROM (
        SELECT subscription_id, ${json.first("account_numbers")} AS number, max(sequence) AS most
        FROM deliveries GROUP BY 1, 2
      ) d
      LEFT JOIN event_sequences e ON e.subscription_id = d.subscription_id AND e.account_number = d.number
      WHERE d.most > coalesce(e.last, 0)
        AND EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = d.subscription_id)`,
  },
  {
    table: "deliveries",
    sql: `SELECT d.id AS record, 'attempts is ' || d.attempts || ', there are ' || d.made AS what
      FROM (
        SELECT id, attempts,
          (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = deliveries.id) AS made
        FROM deliveries
      ) d WHERE d.attempts <> d.made`,
  },
];
