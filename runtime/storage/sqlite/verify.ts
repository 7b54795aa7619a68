import type { LedgerVerification } from "../../ports/index.ts";
import type { Connection } from "./connection.ts";
import type { SqliteValue } from "./dialect.ts";

/** What the postings of each account come to. Sums can leave 64 bits, so the two halves are summed apart. */
const derived = `WITH derived AS MATERIALIZED (
  SELECT institution_id, account_id, currency, count(*) AS postings,
    sum(amount_minor >> 32) AS high, sum(amount_minor & 4294967295) AS low
  FROM postings GROUP BY institution_id, account_id, currency
)`;

const sumsSql = `${derived}
SELECT currency, sum(postings), sum(high), sum(low) FROM derived GROUP BY currency ORDER BY currency`;

const differencesSql = `${derived}, balances AS (
  SELECT a.id, a.ledger_minor, coalesce(sum(d.high), 0) AS high, coalesce(sum(d.low), 0) AS low
  FROM accounts a LEFT JOIN derived d ON d.institution_id = a.institution_id AND d.account_id = a.id
  GROUP BY a.institution_id, a.id
)
SELECT id, ledger_minor, high, low FROM balances
WHERE ledger_minor >> 32 <> high + (low >> 32) OR ledger_minor & 4294967295 <> low & 4294967295
ORDER BY id`;

/** Re-derives every balance from its postings. Reads the whole ledger, over one snapshot. */
export function verifyLedger(connection: Connection): LedgerVerification {
  const sums = connection.rows(sumsSql, []);
  const differences = connection.rows(differencesSql, []);
  const [accounts] = connection.row("SELECT count(*) FROM accounts", []) ?? [];
  return {
    accounts: Number(accounts),
    postings: sums.reduce((total, [, postings]) => total + Number(postings), 0),
    sums: sums.map(([currency, , high, low]) => ({
      currency: String(currency),
      sumMinor: wholeOf(high, low),
    })),
    differences: differences.map(([id, stored, high, low]) => ({
      accountId: String(id),
      storedMinor: integer(stored),
      derivedMinor: wholeOf(high, low),
    })),
  };
}

function wholeOf(high: SqliteValue | undefined, low: SqliteValue | undefined): bigint {
  return integer(high) * 2n ** 32n + integer(low);
}

function integer(value: SqliteValue | undefined): bigint {
  if (typeof value !== "bigint") throw new TypeError("SQLite gave a sum that is no integer");
  return value;
}
