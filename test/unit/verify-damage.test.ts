import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { auditedBySystem, appendAudit } from "../../runtime/store/audit/index.ts";
import { accountContentHash, postingHash } from "../../ledger/domain/content-hashes.ts";
import { auditHash } from "../../runtime/store/common/chains.ts";
import type { LedgerVerification } from "../../runtime/store/ports/index.ts";
import { openSqliteStore, verifySqliteFile } from "../bank-stores.ts";
import { StoreOpenError } from "../../runtime/store/index.ts";
import { sqlBankBooks } from "../../ledger/books/verify/books.ts";
import { sqlBooks } from "../../runtime/store/sql/books.ts";
import { sqliteRows } from "../../runtime/store/sqlite/verify.ts";
import {
  askFile,
  destroyPages,
  pageBytes,
  pagesOf,
  rootPageOf,
  writeBehind,
  writeBooks,
} from "./verify-books.ts";
import { institutions } from "../../runtime/store/tables/index.ts";

const folder = mkdtempSync(join(tmpdir(), "verify-"));
const sound = join(folder, "sound.sqlite");
const file = join(folder, "damaged.sqlite");
/** The root that was kept elsewhere. */
let root = "";

beforeAll(async () => {
  await writeBooks(sound);
  ({ root } = verifySqliteFile(sound));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Damages a copy of the books, and verifies it. */
function damaged(damage: (path: string) => void, roots: readonly string[] = []): LedgerVerification {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  copyFileSync(sound, file);
  damage(file);
  return verifySqliteFile(file, { roots });
}

/** Each finding as one text: kind, table, record and what. */
function texts({ findings }: LedgerVerification): readonly string[] {
  return findings.map(({ kind, table, record = "", what }) => `${kind} ${table} ${record}: ${what}`);
}

const completed = "(SELECT id FROM transactions WHERE status = 'COMPLETED' ORDER BY id LIMIT 1 OFFSET 9)";
const second = "(SELECT id FROM transactions WHERE status = 'COMPLETED' ORDER BY id LIMIT 1 OFFSET 10)";
const balances = `UPDATE accounts SET ledger_minor =
  (SELECT coalesce(sum(p.amount_minor), 0) FROM postings p WHERE p.account_id = accounts.id);`;
const heads = `UPDATE accounts SET
  posting_position = (SELECT coalesce(max(p.position), 0) FROM postings p WHERE p.account_id = accounts.id),
  posting_hash = coalesce((SELECT p.hash FROM postings p WHERE p.account_id = accounts.id ORDER BY position DESC LIMIT 1), '');`;

const subscription = `INSERT INTO subscriptions
  (id, institution_id, user_name, name, callback_url, events, group_id, secret_sealed, enabled, created_at, updated_at,
   ordered)
  SELECT 'sub-1', institution_id, (SELECT user_name FROM users LIMIT 1), 's', 'https://x.example', '[]',
    json_array(number), '', 1, 0, 0, 0 FROM accounts WHERE status = 'CURTAILED';
  INSERT INTO subscription_topics SELECT institution_id, 'sub-1', number, customer_id, 'erp'
  FROM accounts WHERE status = 'CURTAILED'`;

/** A change by SQL, and what is said of it. */
type Change = readonly [what: string, sql: string, ...expected: RegExp[]];
const changes: readonly Change[] = [
  [
    "a changed hold",
    "UPDATE accounts SET hold_minor = hold_minor + 100 WHERE hold_minor > 0",
    /^hold accounts \S+: hold_minor is 800, its PENDING transactions hold 700/,
  ],
  [
    "a COMPLETED transaction's postings deleted, balances and heads adjusted",
    `DELETE FROM postings WHERE transaction_id = ${completed}; ${balances} ${heads}`,
    /^posting transactions \S+: is COMPLETED and has no postings, not 6/,
    /^chain postings .*: follows posting \d+ of its account: postings between them are missing/,
  ],
  [
    "two transactions unbalanced by +7.77 and -7.77",
    `UPDATE postings SET amount_minor = amount_minor + 777
       WHERE transaction_id = ${completed} AND account_id = 'gl-fee-income-USD';
     UPDATE postings SET amount_minor = amount_minor - 777
       WHERE transaction_id = ${second} AND account_id = 'gl-fee-income-USD'; ${balances}`,
    /^sum transactions \S+: its postings in USD sum to 777, not to 0/,
    /^sum transactions \S+: its postings in USD sum to -777, not to 0/,
    /^chain postings /,
  ],
  [
    "all amounts × 10, balances and holds with them",
    `UPDATE postings SET amount_minor = amount_minor * 10; UPDATE transactions SET amount_minor = amount_minor * 10;
     UPDATE accounts SET ledger_minor = ledger_minor * 10, hold_minor = hold_minor * 10`,
    /^chain postings /,
    /^document transactions \S+: differs from its document in amount_minor/,
    /^record transactions /,
  ],
  [
    "a deleted account with its postings",
    `DELETE FROM postings WHERE account_id = (SELECT id FROM accounts WHERE status = 'ACTIVE' AND type <> 'GL' ORDER BY id LIMIT 1);
     DELETE FROM accounts WHERE id = (SELECT id FROM accounts WHERE status = 'ACTIVE' AND type <> 'GL' ORDER BY id LIMIT 1)`,
    /^record accounts .*: there is no account \S+: it was deleted/,
    /^reference transactions row \d+: refers to a record of accounts/,
  ],
  [
    "postings swapped between two accounts",
    `UPDATE postings SET amount_minor = -amount_minor WHERE transaction_id = ${completed}; ${balances}`,
    /^posting transactions \S+: is COMPLETED and its 6 postings are not what it moves/,
    /^chain postings /,
    /^record transactions /,
  ],
  [
    "a changed status of an account",
    "UPDATE accounts SET status = 'ACTIVE' WHERE status = 'CURTAILED'",
    /^record accounts \S+: status is ACTIVE, the audit entries say CURTAILED/,
  ],
  [
    "a changed status of a transaction",
    "UPDATE transactions SET status = 'FAILED' WHERE status = 'DECLINED'",
    /^record transactions \S+: status is FAILED, the audit entries say DECLINED/,
  ],
  [
    "a COMPLETED transaction made FAILED",
    `UPDATE transactions SET status = 'FAILED' WHERE id = ${completed}`,
    /^posting transactions \S+: is FAILED and has 6 postings, not none/,
    /^record transactions /,
  ],
  [
    "a PENDING transaction made CANCELLED",
    "UPDATE transactions SET status = 'CANCELLED' WHERE status = 'PENDING'",
    /^hold accounts \S+: hold_minor is 700, its PENDING transactions hold 0/,
  ],
  [
    "the last status change of an account removed",
    "DELETE FROM audit_entries WHERE sequence = (SELECT max(sequence) FROM audit_entries)",
    /^record accounts \S+: status is CURTAILED, the audit entries say ACTIVE/,
  ],
  [
    "a status change in the middle removed",
    `DELETE FROM audit_entries WHERE sequence =
       (SELECT sequence FROM audit_entries WHERE operation = 'AccountService.UpdateAccountStatus' LIMIT 1)`,
    /^root audit_entries \d+: entry \d+ is missing: removed/,
    /^chain audit_entries \d+ \(entry 3 of account \S+\): follows entry 1 of its subject/,
  ],
  [
    "an audit entry with the number of another",
    "UPDATE audit_entries SET number = number + 1 WHERE sequence = (SELECT max(sequence) FROM audit_entries)",
    /^root audit_entries \d+: has the number \d+ in institution \S+ and not \d+: it was changed/,
  ],
  [
    "an audit entry without a number, which no list shows",
    "UPDATE audit_entries SET number = NULL WHERE sequence = 2",
    /^root audit_entries 2: has the number 0 in institution \S+ and not 1: it was changed/,
  ],
  [
    "a rewritten audit entry",
    `UPDATE audit_entries SET user_name = 'nobody' WHERE operation = 'UpdateTransactionStatus'`,
    /^chain audit_entries \d+ \(entry 2 of transaction \S+\): the hash is not that/,
  ],
  [
    "a rewritten head",
    "UPDATE accounts SET posting_hash = replace(posting_hash, '0', '1') WHERE id = 'gl-fee-income-USD'",
    /^chain accounts gl-fee-income-USD: its chain of postings ends at \d+/,
  ],
  [
    "the last postings of an account deleted, nothing else",
    `DELETE FROM postings WHERE account_id = 'gl-fee-income-USD' AND position > 20`,
    /^balance accounts gl-fee-income-USD: ledger_minor is/,
    /^chain accounts gl-fee-income-USD: its chain of postings ends at 20/,
    /^sum transactions /,
  ],
  [
    "a changed amount of a transaction",
    `UPDATE transactions SET amount_minor = amount_minor + 1 WHERE id = ${completed}`,
    /^document transactions \S+: differs from its document in amount_minor/,
    /^posting transactions /,
    /^record transactions /,
  ],
  [
    "a changed currency",
    `UPDATE transactions SET currency = 'EUR' WHERE id = ${completed}; UPDATE accounts SET currency = 'EUR' WHERE id = 'gl-fee-income-USD'`,
    /^document transactions \S+: differs from its document in currency/,
    /^record accounts gl-fee-income-USD: is not as its last audit entry has it/,
  ],
  [
    "another customer of a transaction, in its document too",
    `UPDATE transactions SET customer_id = (SELECT id FROM customers WHERE name = 'Corner Shop'),
       document_json = replace(document_json, customer_id, (SELECT id FROM customers WHERE name = 'Corner Shop'))
     WHERE id = ${completed}`,
    /^record transactions \S+: it or its postings are not as its last audit entry has them/,
  ],
  [
    "another customer of an account",
    "UPDATE accounts SET customer_id = 'bank' WHERE status = 'CURTAILED'",
    /^record accounts \S+: is not as its last audit entry has it/,
  ],
  [
    "a reference that is there twice, its index dropped",
    `CREATE TABLE others AS SELECT * FROM transactions; DROP TABLE transactions;
     ALTER TABLE others RENAME TO transactions;
     INSERT INTO transactions SELECT 'x' || id, institution_id, reference_id, customer_id, status, currency, amount_minor,
       debtor_account_id, creditor_account_id, document_json, content_hash, created_at, updated_at
       FROM transactions WHERE status = 'FAILED'`,
    /^schema sqlite_autoindex_transactions_2 : is missing/,
    /^record transactions x\S+: no audit entry says that it was recorded/,
  ],
  [
    "an added account",
    `CREATE TEMP TABLE one AS SELECT * FROM accounts WHERE id = 'gl-fee-income-USD';
     UPDATE one SET id = 'mine', number = '7', posting_position = 0, posting_hash = '', ledger_minor = 0;
     INSERT INTO accounts SELECT * FROM one`,
    /^record accounts mine: no audit entry says that it was opened/,
  ],
  [
    "a dropped index and a trigger",
    `DROP INDEX transactions_by_debtor;
     CREATE TRIGGER mine AFTER INSERT ON postings BEGIN DELETE FROM audit_entries; END`,
    /^schema transactions_by_debtor : is missing/,
    /^schema mine : is none of this program's/,
  ],
  [
    "a document that is no JSON",
    `UPDATE transactions SET document_json = 'x' WHERE status = 'PENDING'`,
    /^document transactions \S+: document_json is no JSON object/,
  ],
  [
    "a transaction without its debtor",
    "UPDATE transactions SET debtor_account_id = 'nobody' WHERE status = 'PENDING'",
    /^reference transactions \S+: there is no account nobody, its debtor/,
    /^reference transactions row \d+: refers to a record of accounts/,
  ],
  [
    "an account that is no longer the institution's own, so that the ledger interface may block it",
    "UPDATE accounts SET institution_owned = NULL WHERE id = 'gl-clearing-USD'",
    /^record accounts gl-clearing-USD: institution_owned is false, the audit entries say otherwise/,
  ],
  [
    "a customer's account made the institution's own",
    "UPDATE accounts SET institution_owned = 1 WHERE status = 'CURTAILED'",
    /^record accounts \S+: institution_owned is true, the audit entries say otherwise/,
  ],
  [
    "a wrong number of accounts in a block",
    "UPDATE account_blocks SET accounts = accounts + 1",
    /^derived account_blocks \S+, from -?\d+ .*: says 7 accounts, there are 6/,
  ],
  [
    "a block that does not say which statuses it has",
    "UPDATE account_blocks SET kinds = replace(kinds, 'CURTAILED', 'CLOSED')",
    /^derived account_blocks .*: does not say that its accounts have "CURTAILED"/,
  ],
  [
    "no blocks at all",
    "DELETE FROM account_blocks",
    /^derived account_blocks .*: an account is in no block: lists leave it out/,
  ],
  [
    "a wrong number of transactions at a mark",
    `INSERT INTO transaction_marks SELECT institution_id, debtor_account_id, created_at, id, 9 FROM transactions
       WHERE id = ${second}`,
    /^derived transaction_marks \S+ \S+: counts 9 transactions of the account up to it, there are \d+$/,
  ],
  [
    "a subscription without its accounts",
    `${subscription}; DELETE FROM subscription_topics`,
    /^derived subscription_topics sub-1 \S+: is missing, or of another customer/,
  ],
  [
    "an account that a subscription does not name",
    `${subscription}; INSERT INTO subscription_topics SELECT institution_id, 'sub-1', number, customer_id, 'erp' FROM accounts
       WHERE id = 'gl-fee-income-USD'`,
    /^derived subscription_topics sub-1 \S+: the subscription does not name it/,
  ],
  [
    "a sequence that was set back, and attempts that were removed",
    `${subscription}; INSERT INTO events (id, institution_id, name, source, topics, topic_group, payload_json, created_at, relayed_at)
       SELECT 'e-1', id, 'Account.NEW', 's', '[]', '', '{}', 0, 0 FROM institutions LIMIT 1;
     INSERT INTO deliveries (id, institution_id, subscription_id, event_id, event_name, topics, sequence, state,
       attempts, failures, created_at)
       SELECT 'd-1', institution_id, 'sub-1', 'e-1', 'Account.NEW', group_id, 5, 'DELIVERED', 2, 0, 0 FROM subscriptions
       WHERE id = 'sub-1';
     INSERT INTO event_sequences SELECT id, group_id ->> 0, 4 FROM subscriptions WHERE id = 'sub-1'`,
    /^derived event_sequences sub-1 \S+: its last number is 4, a delivery has 5/,
    /^derived deliveries d-1: attempts is 2, there are 0/,
  ],
  [
    "a revoked key that is active again",
    "UPDATE device_keys SET status = 'ACTIVE', revoked_at = NULL WHERE status = 'REVOKED'",
    /^record device_keys key \S+: status is "ACTIVE", the audit entries say "REVOKED"/,
    /^record device_keys key \S+: revokedAt is absent, the audit entries say "\d+"/,
  ],
  [
    "a revoked credential that is in force again, with another API key",
    "UPDATE api_keys SET revoked_at = NULL, hash = 'x' WHERE revoked_at IS NOT NULL",
    /^record api_keys credential \S+: hash is "[0-9a-f]{64}", the audit entries say "[0-9a-f]{64}"/,
    /^record api_keys credential \S+: revokedAt is absent/,
  ],
  [
    "a user of one customer who may see all, and operate",
    "UPDATE users SET seen_groups = NULL, realm = 'operator' WHERE user_name = '091000019.till-erp'",
    /^record users user 091000019\.till-erp: realm is "operator", the audit entries say "ledger"/,
    /^record users user 091000019\.till-erp: groups is absent, the audit entries say "\[/,
  ],
  [
    "an added key",
    "INSERT INTO device_keys (key_id, user_name, public_key_pem, status, created_at) " +
      "SELECT 'mine', user_name, public_key_pem, 'ACTIVE', 0 FROM device_keys WHERE user_name = 'operator'",
    /^record device_keys key mine: no audit entry says that it was added/,
  ],
  [
    "another public key",
    "UPDATE device_keys SET public_key_pem = 'x' WHERE user_name = 'operator'",
    /^record device_keys key key-operator: publicKeyPem is/,
  ],
  [
    "a subscription that is told to another address",
    "UPDATE subscriptions SET callback_url = 'https://other.example/hook'",
    /^record subscriptions subscription \S+: callbackUrl is "https:\/\/other.example", the audit entries say "https:\/\/till/,
  ],
  [
    "a subscription that is enabled again, its address none",
    "UPDATE subscriptions SET enabled = 1, disabled_reason = NULL, callback_url = 'x'",
    /^record subscriptions subscription \S+: cannot be read: Invalid URL/,
  ],
  [
    "a deleted category, a deleted representative's login",
    "DELETE FROM categories; DELETE FROM portal_logins",
    /^record categories \d+ \(entry 1 of category \S+\): there is no category \S+: it was deleted/,
    /^record portal_logins \d+ \(entry 1 of portal-login \S+\): there is no portal-login \S+: it was deleted/,
  ],
  [
    "a one-time password that may be tried again",
    "UPDATE registrations SET expires_at = expires_at + 86400000",
    /^record registrations registration [0-9a-f]{64}: expiresAt is "\d+", the audit entries say "\d+"/,
  ],
  [
    "a root that was rewritten",
    "INSERT INTO chain_roots VALUES (3, 'ab', 0)",
    /^root audit_entries 1 to 3: chain_roots says ab, the first 3 entries give/,
  ],
];

describe("damaged books", () => {
  test("sound books are sound, and give a root that they are sound against", () => {
    expect(texts(damaged(() => undefined))).toEqual([]);
    expect(damaged(() => undefined, [root])).toMatchObject({ isSound: true, root });
    expect(root).toMatch(/^\d+:[0-9a-f]{64}$/);
  });

  test.each(changes.map(([what, sql, ...expected]) => ({ what, sql, expected })))(
    "$what",
    ({ sql, expected }) => {
      const verification = damaged((path) => writeBehind(path, sql));
      expect(verification.isSound).toBe(false);
      for (const text of expected) expect(texts(verification)).toContainEqual(expect.stringMatching(text));
      for (const { todo } of verification.findings) expect(todo).toMatch(/[Bb]ackup/);
    },
  );

  test("books that were rewritten whole, hashes and all, differ from the root that was kept", () => {
    const rewritten = (path: string) => writeBehindWithHashes(path);
    expect(texts(damaged(rewritten))).toEqual([]);
    expect(texts(damaged(rewritten, [root]))).toEqual([
      expect.stringMatching(/^root audit_entries 1 to \d+: the root kept elsewhere says/),
    ]);
  });

  test("the last entries and all that they are about deleted differ from the root that was kept", () => {
    const last = "(SELECT max(sequence) FROM audit_entries WHERE subject_type = 'transaction')";
    const id = `(SELECT subject_id FROM audit_entries WHERE sequence = ${last})`;
    const sql = `CREATE TEMP TABLE gone AS SELECT ${id} AS id, ${last} AS sequence;
      DELETE FROM postings WHERE transaction_id = (SELECT id FROM gone);
      DELETE FROM transactions WHERE id = (SELECT id FROM gone);
      UPDATE accounts SET status = 'DORMANT' WHERE id =
        (SELECT subject_id FROM audit_entries WHERE sequence = (SELECT sequence FROM gone) - 1);
      UPDATE accounts SET status = 'ACTIVE' WHERE status = 'CURTAILED';
      DELETE FROM audit_entries WHERE sequence >= (SELECT sequence FROM gone) - 1; ${balances} ${heads}`;
    expect(texts(damaged((path) => writeBehind(path, sql)))).toEqual([]);
    expect(texts(damaged((path) => writeBehind(path, sql), [root]))).toEqual([
      expect.stringMatching(
        /^root audit_entries \d+: there are \d+ entries, .*: the last ones were lost or removed/,
      ),
    ]);
  });

  test("a root that is none is refused", () => {
    expect(() => damaged(() => undefined, ["12:ab"])).toThrow(/12:ab is no root: expected/);
  });
});

describe("damaged files", () => {
  test.each(["postings", "postings_by_transaction", "accounts", "transactions", "audit_entries"])(
    "the destroyed first page of %s",
    (name) => {
      const verification = damaged((path) => destroyPages(path, [rootPageOf(path, name)]));
      expect(verification.isSound).toBe(false);
      expect(texts(verification)).toContainEqual(
        expect.stringMatching(new RegExp(`^file ${name} : SQLite: Tree \\d+`)),
      );
    },
  );

  test("15 destroyed pages", () => {
    const verification = damaged((path) => {
      const first = Math.floor((pagesOf(path) * 2) / 3);
      destroyPages(
        path,
        Array.from({ length: 15 }, (_, index) => first + 2 * index),
      );
    });
    expect(verification.counts.file).toBeGreaterThanOrEqual(1);
  });

  test("any page destroyed is noticed", () => {
    const unnoticed = [];
    for (let page = 2; page <= pagesOf(sound); page += 7) {
      if (damaged((path) => destroyPages(path, [page])).isSound) unnoticed.push(page);
    }
    expect(unnoticed).toEqual([]);
  });

  test("the destroyed first page, another file, an empty one and one cut short", () => {
    expect(texts(damaged((path) => destroyPages(path, [1])))).toEqual([
      "file (file) : SQLite: file is not a database",
    ]);
    expect(texts(damaged((path) => writeFileSync(path, "no database ".repeat(1000))))).toEqual([
      "file (file) : SQLite: file is not a database",
    ]);
    expect(texts(damaged((path) => truncateSync(path)))).toEqual([
      "file (file) : the file is empty: it was truncated",
    ]);
    for (const bytes of [1, pageBytes, statSync(sound).size / 2, statSync(sound).size - 1]) {
      const verification = damaged((path) => truncateSync(path, bytes));
      expect(verification).toMatchObject({ isSound: false });
    }
  });

  test("a file that is not there or of an older version is no damage", () => {
    expect(() => verifySqliteFile(join(folder, "none.sqlite"))).toThrow(StoreOpenError);
    const older = (path: string) => writeBehind(path, "UPDATE migrations SET number = number - 22");
    expect(() => damaged(older)).toThrow(/was written by an older version/);
  });

  test("a lost log differs from the root that was kept", async () => {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
    copyFileSync(sound, file);
    const store = await openSqliteStore({ file, migrate: false });
    await store.write((tx) =>
      appendAudit(tx, {
        institutionId: "091000019",
        subjectType: "category",
        subjectId: "c",
        operation: "CreateCategory",
        changedAt: 1,
        changes: [],
      }),
    );
    const kept = (await store.verify()).root;
    const withoutLog = join(folder, "without-log.sqlite");
    copyFileSync(file, withoutLog);
    await store.close();
    expect(verifySqliteFile(file, { roots: [root, kept] })).toMatchObject({ isSound: true });
    expect(texts(verifySqliteFile(withoutLog, { roots: [kept] }))).toEqual([
      expect.stringMatching(
        /^root audit_entries \d+: there are \d+ entries, the root kept elsewhere is over \d+/,
      ),
    ]);
  });

  test("books are verified while a service writes to them", async () => {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
    copyFileSync(sound, file);
    const store = await openSqliteStore({ file, migrate: false });
    await store.write((tx) => {
      const by = { institutionId: "026009593", operation: "test", clock: { now: () => 1 } };
      return auditedBySystem(tx, by).insert(institutions, { id: "026009593", name: "Second Bank" });
    });
    expect(verifySqliteFile(file, { roots: [root] })).toMatchObject({ isSound: true });
    await store.close();
  });
});

/** One transfer becomes another, and every hash after it is what it would have been. */
function writeBehindWithHashes(path: string): void {
  writeBehind(path, "UPDATE accounts SET category = 'GOLD' WHERE status = 'CURTAILED'");
  const institution = String(askFile(path, "SELECT institution_id FROM accounts LIMIT 1"));
  const database = new DatabaseSync(path);
  const rows = sqliteRows(database);
  const books = sqlBankBooks(rows);
  const account = [...books.accounts(institution)].find(({ status }) => status === "CURTAILED");
  const entries = [...sqlBooks(schema, rows).audit(institution, { only: "account" })].filter(
    ({ subjectId }) => subjectId === account?.id,
  );
  if (account === undefined) throw new Error("no such account");
  let previousHash = "";
  for (const entry of entries) {
    const isLast = entry === entries.at(-1);
    const contentHash = isLast ? accountContentHash(account) : (entry.contentHash ?? "");
    const changed = { ...entry, changes: JSON.parse(entry.changes), contentHash };
    const hash = auditHash(changed, { position: entry.position, previousHash });
    database
      .prepare("UPDATE audit_entries SET content_hash = ?, hash = ? WHERE sequence = ?")
      .run(contentHash, hash, entry.sequence);
    previousHash = hash;
  }
  // The chain of postings is as it was: its links are those of the same rows.
  let last = { position: 0, hash: "" };
  for (const posting of books.postings(institution)) {
    if (posting.accountId !== account.id) continue;
    const place = { position: posting.position, previousHash: last.hash };
    if (postingHash(posting, place) !== posting.hash) throw new Error("the postings were changed");
    last = posting;
  }
  database.close();
}
