import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Findings } from "../../common/verify/index.ts";
import { verifyDifferences, type JsonTexts } from "../../sql/verify-derived.ts";

/**
 * Recomputes what the file holds twice for the sake of speed, from what it is derived from: what every SQL database does, and
 * `account_blocks` from `accounts`: how many accounts each block has, and which values occur there.
 *
 * Indexes are recomputed by SQLite's integrity check; balances, holds and heads of chains by `verifyBooks`. Not
 * recomputed, because retention removes what they were counted from: the statistics in `endpoint_health`.
 */
export function verifyDerived(database: DatabaseSync, findings: Findings): void {
  findings.during("account_blocks", () => verifyBlocks(database, findings));
  verifyDifferences((sql) => rowsOf(database, sql), json, findings);
}

const json: JsonTexts = {
  items: (column) => `json_each(${column}) n`,
  first: (column) => `json_extract(${column}, '$[0]')`,
};

function* rowsOf(database: DatabaseSync, sql: string): Generator<readonly SQLOutputValue[]> {
  for (const { record = null, what = null } of database.prepare(sql).iterate()) yield [record, what];
}

interface Block {
  readonly institutionId: string;
  readonly createdAt: number;
  readonly id: string;
  readonly accounts: number;
  readonly kinds: string | undefined;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** The prefix of each value in `kinds`, by column of `accounts` (migration `account-lists`). */
const kindColumns = { status: "s", type: "t", category: "c", currency: "u", gl_account: "g" } as const;
const separator = "\u001f";

/** One pass over accounts and one over blocks, both in the order of lists. */
function verifyBlocks(database: DatabaseSync, findings: Findings): void {
  const wrong = (block: Pick<Block, "institutionId" | "createdAt" | "id">, what: string): void => {
    const record = `${block.institutionId}, from ${block.createdAt} ${block.id || "(the beginning)"}`;
    findings.add({ kind: "derived", table: "account_blocks", record, what });
  };
  const accounts = database
    .prepare(
      `SELECT institution_id, created_at, id, ${Object.keys(kindColumns).join(", ")}
       FROM accounts INDEXED BY accounts_by_creation ORDER BY institution_id, created_at, id`,
    )
    .iterate();
  let account = accounts.next();
  /** Counts the accounts up to a place, and what of them the kinds lack. */
  const passTo = (block: Block | undefined, place: Row | undefined): void => {
    let counted = 0;
    const missing = new Set<string>();
    for (; account.done !== true && isBefore(account.value, place); account = accounts.next()) {
      counted += 1;
      if (block !== undefined && account.value["institution_id"] === block.institutionId) {
        for (const kind of kindsOf(account.value))
          if (block.kinds?.includes(kind) === false) missing.add(kind);
      } else {
        wrong(placeOf(account.value), "an account is in no block: lists leave it out");
      }
    }
    if (block === undefined) return;
    if (counted !== block.accounts) {
      wrong(block, `says ${block.accounts} accounts, there are ${counted}: lists count wrong`);
    }
    if (missing.size > 0) {
      const values = [...missing].map((kind) => JSON.stringify(kind.slice(2, -1))).join(", ");
      wrong(block, `does not say that its accounts have ${values}: filters leave them out`);
    }
  };
  let block: Block | undefined;
  const blocks = database
    .prepare(
      "SELECT institution_id, created_at, id, accounts, kinds FROM account_blocks ORDER BY institution_id, created_at, id",
    )
    .iterate();
  for (const row of blocks) {
    passTo(block, row);
    block = blockOf(row);
  }
  passTo(block, undefined);
}

/** Whether an account comes before a place; every account does where there is no place. */
function isBefore(account: Row, place: Row | undefined): boolean {
  if (place === undefined) return true;
  for (const column of ["institution_id", "created_at", "id"]) {
    const order = compareValues(account[column] ?? null, place[column] ?? null);
    if (order !== 0) return order < 0;
  }
  return false;
}

/** As SQLite orders texts, by bytes, and numbers. */
function compareValues(left: SQLOutputValue, right: SQLOutputValue): number {
  if (typeof left === "string" && typeof right === "string") {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return Number(left) - Number(right);
}

function kindsOf(account: Row): readonly string[] {
  return Object.entries(kindColumns).map(
    ([column, letter]) => `${separator}${letter}${String(account[column])}${separator}`,
  );
}

function placeOf(row: Row): Pick<Block, "institutionId" | "createdAt" | "id"> {
  return {
    institutionId: String(row["institution_id"]),
    createdAt: Number(row["created_at"]),
    id: String(row["id"]),
  };
}

function blockOf(row: Row): Block {
  const kinds = row["kinds"];
  return {
    ...placeOf(row),
    accounts: Number(row["accounts"]),
    kinds: kinds === null || kinds === undefined ? undefined : String(kinds),
  };
}
