import {
  compareCodePoints,
  differing,
  type BookRows,
  type DerivedRule,
  type Row,
  type Value,
} from "../../../runtime/store/common/index.ts";

/**
 * What the bank holds twice for the sake of speed:
 *
 * - `account_blocks` and `account_marks` from `accounts`;
 * - `subscription_topics` from the numbers of `subscriptions` and from `accounts`;
 * - `transaction_marks` from `transactions`.
 */
export function derivedRules(dialect: BookRows["dialect"]): readonly DerivedRule[] {
  const rules = [subscribedNumbers, transactionMarks];
  return dialect === "sqlite"
    ? [{ table: "account_blocks", verify: verifyBlocks }, ...rules]
    : [...rules, accountMarks];
}

const subscribedNumbers = differing("subscription_topics", ({ jsonItems }) => {
  const record = "subscription_id || ' ' || topic AS record";
  const kept = "SELECT institution_id, subscription_id, topic, topic_group FROM subscription_topics";
  const expected = `SELECT DISTINCT s.institution_id, s.id AS subscription_id, n.value AS topic, a.customer_id AS topic_group
    FROM subscriptions s CROSS JOIN ${jsonItems("s.group_id")}
    LEFT JOIN accounts a ON a.institution_id = s.institution_id AND a.number = n.value`;
  return `SELECT ${record}, 'is missing, or of another customer: the subscription names the account' AS what
    FROM (${expected} EXCEPT ${kept}) lacking
    UNION ALL SELECT ${record}, 'the subscription does not name it, or it is of another customer' AS what
    FROM (${kept} EXCEPT ${expected}) extra`;
});

/** Looks only at accounts that have marks. */
const transactionMarks = differing("transaction_marks", () => {
  const sides = ["debtor", "creditor"].map(
    (side) => `SELECT institution_id, ${side}_account_id AS account_id, created_at, id FROM transactions
      WHERE (institution_id, ${side}_account_id) IN (SELECT institution_id, account_id FROM transaction_marks)`,
  );
  return `SELECT m.account_id || ' ' || m.id AS record,
      'counts ' || m.counted || ' transactions of the account up to it, there are ' || coalesce(CAST(n.counted AS TEXT), 'others') AS what
    FROM transaction_marks m LEFT JOIN (
      SELECT institution_id, account_id, created_at, id,
        row_number() OVER (PARTITION BY institution_id, account_id ORDER BY created_at, id) AS counted
      FROM (${sides.join(" UNION ALL ")}) AS sides
    ) n ON n.institution_id = m.institution_id AND n.account_id = m.account_id
      AND n.created_at = m.created_at AND n.id = m.id
    WHERE n.counted IS NULL OR n.counted <> m.counted`;
});

const accountMarks = differing(
  "account_marks",
  () => `SELECT m.institution_id || ' ' || m.id AS record,
      'counts ' || m.before || ' accounts before it, there are ' || coalesce(n.before::TEXT, 'others') AS what
    FROM account_marks m LEFT JOIN (
      SELECT institution_id, id, row_number() OVER (PARTITION BY institution_id ORDER BY created_at, id) - 1 AS before
      FROM accounts
    ) n ON n.institution_id = m.institution_id AND n.id = m.id
    WHERE n.before IS DISTINCT FROM m.before`,
);

/** The place of an account in the order of lists. */
interface Place {
  readonly institutionId: string;
  readonly createdAt: number;
  readonly id: string;
}

interface Block extends Place {
  readonly accounts: number;
  readonly kinds: string | undefined;
}

/** The prefix of each value in `kinds`, by column of `accounts`. */
const kindColumns = { status: "s", type: "t", category: "c", currency: "u", gl_account: "g" } as const;
const separator = "\u001f";
const accountsSql = `SELECT institution_id, created_at, id, ${Object.keys(kindColumns).join(", ")}
  FROM accounts INDEXED BY accounts_by_creation ORDER BY institution_id, created_at, id`;
const blocksSql =
  "SELECT institution_id, created_at, id, accounts, kinds FROM account_blocks ORDER BY institution_id, created_at, id";

/** How many accounts each block has, and which values occur there: one pass over each, in the order of lists. */
function verifyBlocks({ rows }: BookRows, wrong: (record: string, what: string) => void): void {
  const accounts = rows(accountsSql, [])[Symbol.iterator]();
  let account = accounts.next();
  /** Counts the accounts up to a place, and what of them the kinds lack. */
  const passTo = (block: Block | undefined, place: Place | undefined): void => {
    let counted = 0;
    const missing = new Set<string>();
    for (; account.done !== true; account = accounts.next()) {
      const at = placeOf(account.value);
      if (!isBefore(at, place)) break;
      counted += 1;
      if (block?.institutionId !== at.institutionId) {
        wrong(recordOf(at), "an account is in no block: lists leave it out");
        continue;
      }
      for (const kind of kindsOf(account.value)) if (block.kinds?.includes(kind) === false) missing.add(kind);
    }
    if (block === undefined) return;
    if (counted !== block.accounts) {
      wrong(recordOf(block), `says ${block.accounts} accounts, there are ${counted}: lists count wrong`);
    }
    if (missing.size > 0) {
      const values = [...missing].map((kind) => JSON.stringify(kind.slice(2, -1))).join(", ");
      wrong(recordOf(block), `does not say that its accounts have ${values}: filters leave them out`);
    }
  };
  let block: Block | undefined;
  for (const row of rows(blocksSql, [])) {
    const next = blockOf(row);
    passTo(block, next);
    block = next;
  }
  passTo(block, undefined);
}

function recordOf({ institutionId, createdAt, id }: Place): string {
  return `${institutionId}, from ${createdAt} ${id || "(the beginning)"}`;
}

/** Whether an account comes before a place; every account does where there is no place. Texts are in the order of code points. */
function isBefore(account: Place, place: Place | undefined): boolean {
  if (place === undefined) return true;
  const order =
    compareCodePoints(account.institutionId, place.institutionId) ||
    account.createdAt - place.createdAt ||
    compareCodePoints(account.id, place.id);
  return order < 0;
}

function kindsOf([, , , ...values]: Row): readonly string[] {
  return Object.values(kindColumns).map(
    (letter, index) => `${separator}${letter}${String(values[index])}${separator}`,
  );
}

function placeOf([institutionId, createdAt, id]: Row): Place {
  return { institutionId: String(institutionId), createdAt: Number(createdAt), id: String(id) };
}

function blockOf(row: Row): Block {
  const [, , , accounts, kinds]: readonly (Value | undefined)[] = row;
  return { ...placeOf(row), accounts: Number(accounts), kinds: kinds == null ? undefined : String(kinds) };
}
