/**
 * What keeps SQLite's blocks of accounts and marks of transactions true, whatever writes to the file: by name. Accounts
 * are never removed, nor their places changed. A transaction that is put before marks removes those.
 */
export const listingTriggers: ReadonlyMap<string, string> = new Map([
  [
    "institutions_first_block",
    `CREATE TRIGGER institutions_first_block AFTER INSERT ON institutions BEGIN
  INSERT INTO account_blocks VALUES (NEW.id, ${firstPlace()}, '', 0, char(31));
END`,
  ],
  [
    "accounts_counted",
    `CREATE TRIGGER accounts_counted AFTER INSERT ON accounts BEGIN
  INSERT INTO account_blocks
    SELECT NEW.institution_id, NEW.created_at, NEW.id, 0, char(31) FROM (
      SELECT accounts FROM account_blocks WHERE institution_id = NEW.institution_id
      ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS newest
    WHERE newest.accounts >= 1024 AND NOT EXISTS (
      SELECT 1 FROM accounts
      WHERE institution_id = NEW.institution_id AND (created_at, id) > (NEW.created_at, NEW.id)
    );
  UPDATE account_blocks SET accounts = accounts + 1, kinds = ${kindsWithNew()} WHERE ${blockOfNew()};
END`,
  ],
  [
    "accounts_kinds",
    `CREATE TRIGGER accounts_kinds AFTER UPDATE OF status, type, category, currency, gl_account ON accounts
WHEN NEW.status <> OLD.status OR NEW.type <> OLD.type OR NEW.category <> OLD.category
  OR NEW.currency <> OLD.currency OR NEW.gl_account <> OLD.gl_account
BEGIN
  UPDATE account_blocks SET kinds = ${kindsWithNew()} WHERE ${blockOfNew()};
END`,
  ],
  [
    "account_blocks_halved",
    `CREATE TRIGGER account_blocks_halved AFTER UPDATE OF accounts ON account_blocks WHEN NEW.accounts >= 2048 BEGIN
  INSERT INTO account_blocks
    SELECT institution_id, created_at, id, NEW.accounts - 1024, NEW.kinds FROM accounts
    WHERE institution_id = NEW.institution_id AND (created_at, id) >= (NEW.created_at, NEW.id)
    ORDER BY created_at, id LIMIT 1 OFFSET 1024;
  UPDATE account_blocks SET accounts = 1024
    WHERE institution_id = NEW.institution_id AND created_at = NEW.created_at AND id = NEW.id;
END`,
  ],
  [
    "transactions_unmarked",
    `CREATE TRIGGER transactions_unmarked AFTER INSERT ON transactions BEGIN
  DELETE FROM transaction_marks
  WHERE institution_id = NEW.institution_id AND account_id IN (NEW.debtor_account_id, NEW.creditor_account_id)
    AND (created_at, id) > (NEW.created_at, NEW.id);
END`,
  ],
]);

/** A place before all accounts: the least integer that JavaScript counts with. */
function firstPlace(): string {
  return "-9007199254740991";
}

/** The last block that begins at the account or before. */
function blockOfNew(): string {
  return `institution_id = NEW.institution_id AND (created_at, id) = (
    SELECT created_at, id FROM account_blocks
    WHERE institution_id = NEW.institution_id AND (created_at, id) <= (NEW.created_at, NEW.id)
    ORDER BY created_at DESC, id DESC LIMIT 1
  )`;
}

/** The kinds of a block with those of the account. Too many values tell nothing any more. */
function kindsWithNew(): string {
  const kinds = [
    "'s' || NEW.status",
    "'t' || NEW.type",
    "'c' || NEW.category",
    "'u' || NEW.currency",
    "'g' || NEW.gl_account",
  ].map((kind) => `${kind} || char(31)`);
  const isThere = kinds.map((kind) => `instr(kinds, char(31) || ${kind}) > 0`);
  const missing = kinds.map((kind, index) => `CASE WHEN ${isThere[index]} THEN '' ELSE ${kind} END`);
  return `CASE
    WHEN kinds IS NULL OR (${isThere.join(" AND ")}) THEN kinds
    WHEN octet_length(kinds) > 4000 THEN NULL
    ELSE kinds || ${missing.join(" || ")}
  END`;
}
