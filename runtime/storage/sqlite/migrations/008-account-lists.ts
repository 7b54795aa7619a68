/**
 * The keys that lists of accounts are found by: names, and blocks of accounts next to each other in the order of lists
 * (by creation, then id). A block is known by its first place; every institution has one from before all accounts.
 * Counts lead to a page without passing over all before it. `kinds` holds the values that a block's accounts have, or
 * had, in fields with few values (see `sql/listing/block-kinds.ts`), each after a letter and between separators; absent: any.
 * A block takes 1,024 accounts; one that is put into the middle may take 2,048, then it is halved.
 *
 * Triggers keep blocks true, whatever writes to the file. Accounts are never removed, nor their places changed.
 */
export const accountLists = `
CREATE INDEX accounts_by_name ON accounts (institution_id, name, created_at, id);
CREATE INDEX customers_by_name ON customers (institution_id, name);

CREATE TABLE account_blocks (
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  accounts INTEGER NOT NULL,
  kinds TEXT,
  PRIMARY KEY (institution_id, created_at, id)
) STRICT, WITHOUT ROWID;

INSERT INTO account_blocks SELECT id, ${firstPlace()}, '', 0, char(31) FROM institutions;
CREATE TEMP TABLE numbered_accounts AS
  SELECT rowid AS account, institution_id,
    row_number() OVER (PARTITION BY institution_id ORDER BY created_at, id) - 1 AS number
  FROM accounts;
CREATE TEMP TABLE block_kinds AS
  SELECT DISTINCT n.institution_id, n.number / 1024 AS block, a.status, a.type, a.category, a.currency, a.gl_account
  FROM numbered_accounts n JOIN accounts a ON a.rowid = n.account;
CREATE INDEX temp.block_kinds_by_block ON block_kinds (institution_id, block);
INSERT INTO account_blocks
  SELECT b.institution_id, a.created_at, a.id, b.accounts, (
    SELECT CASE WHEN sum(octet_length(kind)) > 4000 THEN NULL ELSE char(31) || group_concat(kind, '') END FROM (
      SELECT 's' || status || char(31) AS kind FROM block_kinds k WHERE ${sameBlock()}
      UNION SELECT 't' || type || char(31) FROM block_kinds k WHERE ${sameBlock()}
      UNION SELECT 'c' || category || char(31) FROM block_kinds k WHERE ${sameBlock()}
      UNION SELECT 'u' || currency || char(31) FROM block_kinds k WHERE ${sameBlock()}
      UNION SELECT 'g' || gl_account || char(31) FROM block_kinds k WHERE ${sameBlock()}
    )
  )
  FROM (
    SELECT institution_id, number / 1024 AS block, count(*) AS accounts,
      max(CASE WHEN number % 1024 = 0 THEN account END) AS first_account
    FROM numbered_accounts GROUP BY institution_id, number / 1024
  ) b JOIN accounts a ON a.rowid = b.first_account;
DROP TABLE numbered_accounts;
DROP TABLE block_kinds;

CREATE TRIGGER institutions_first_block AFTER INSERT ON institutions BEGIN
  INSERT INTO account_blocks VALUES (NEW.id, ${firstPlace()}, '', 0, char(31));
END;

CREATE TRIGGER accounts_counted AFTER INSERT ON accounts BEGIN
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
END;

CREATE TRIGGER accounts_kinds AFTER UPDATE OF status, type, category, currency, gl_account ON accounts
WHEN NEW.status <> OLD.status OR NEW.type <> OLD.type OR NEW.category <> OLD.category
  OR NEW.currency <> OLD.currency OR NEW.gl_account <> OLD.gl_account
BEGIN
  UPDATE account_blocks SET kinds = ${kindsWithNew()} WHERE ${blockOfNew()};
END;

CREATE TRIGGER account_blocks_halved AFTER UPDATE OF accounts ON account_blocks WHEN NEW.accounts >= 2048 BEGIN
  INSERT INTO account_blocks
    SELECT institution_id, created_at, id, NEW.accounts - 1024, NEW.kinds FROM accounts
    WHERE institution_id = NEW.institution_id AND (created_at, id) >= (NEW.created_at, NEW.id)
    ORDER BY created_at, id LIMIT 1 OFFSET 1024;
  UPDATE account_blocks SET accounts = 1024
    WHERE institution_id = NEW.institution_id AND created_at = NEW.created_at AND id = NEW.id;
END;
`;

/** A place before all accounts: the least integer that JavaScript counts with. */
function firstPlace(): string {
  return "-9007199254740991";
}

function sameBlock(): string {
  return "k.institution_id = b.institution_id AND k.block = b.block";
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
