import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../../contract/index.ts";
import type { LedgerVerification, VerifyOptions } from "../../ports/index.ts";
import {
  createFindings,
  unreadBooks,
  verifyBooks,
  verifyDerived,
  type Findings,
} from "../../common/verify/index.ts";
import { sqlBooks } from "../../sql/books.ts";
import type { Schema } from "../../tables/schema.ts";
import { versions } from "../schema.ts";
import { sqliteRows } from "./books.ts";
import { requireCurrentVersion, requireWholeFiles } from "../file-check/check-file.ts";
import { unavailableReasonOf } from "../errors.ts";
import { StoreOpenError } from "../../common/store-open-error.ts";
import { verifyFile } from "./verify-file.ts";
import { pendingMigrations } from "../migrate.ts";
import { isNew, namesOf } from "../../common/versions.ts";

const busyTimeoutMs = 10_000;
const cacheKiB = 64 * 1024;

/**
 * Verifies the books in a file, over one state of it, whether a service writes to it meanwhile or not; changes nothing.
 * What is wrong with the file is a finding, too. Throws a `StoreOpenError` where there is nothing to verify: no file, no
 * leave to read it, or migrations missing. Holds up the process. Uses a file for sorting, and no more memory for more
 * records.
 */
export function verifySqliteFile(
  file: string,
  schema: Schema,
  options: VerifyOptions = {},
): LedgerVerification {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new StoreOpenError(`${file} does not exist: name the data folder of the service (LEDGER_DATA_DIR)`);
  }
  if (!stats.isFile()) throw new StoreOpenError(`${file} is no file: name the data folder of the service`);
  requireCurrentVersion(file, versions(schema));
  const findings = createFindings();
  if (stats.size === 0) return unreadable(schema, findings, "the file is empty: it was truncated");
  let database: DatabaseSync | undefined;
  try {
    options.onProgress?.({ part: "pages and indexes (no progress is known)", done: 0 });
    database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
    database.exec(`PRAGMA temp_store = FILE; PRAGMA cache_size = -${cacheKiB}; BEGIN`);
    const pending = pendingMigrations(database, file, versions(schema));
    if (isNew(pending)) {
      return unreadable(schema, findings, "the file holds no tables: it was cut short, or never migrated");
    }
    if (pending.length > 0) {
      throw new StoreOpenError(`${file} lacks migration ${namesOf(pending)}: run \`ledger-server migrate\``);
    }
    noteWhatOpeningRefuses(file, schema, findings);
    requireWholePages(database, file, findings);
    verifyFile(schema, database, findings);
    const rows = sqliteRows(database);
    verifyDerived(schema, rows, findings);
    return verifyBooks(schema, sqlBooks(schema, rows), rows, findings, options);
  } catch (error) {
    if (unavailableReasonOf(error) !== "damaged") throw error;
    return unreadable(schema, findings, `SQLite: ${messageOf(error)}`);
  } finally {
    database?.close();
  }
}

/** SQLite itself reads past some damage, such as to the log, as if nothing were lost. */
function noteWhatOpeningRefuses(file: string, schema: Schema, findings: Findings): void {
  try {
    requireWholeFiles(file, versions(schema));
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    findings.add({ kind: "file", table: "(file)", what: error.message });
  }
}

/** SQLite reads the rest of a page that was cut as zeros. */
function requireWholePages(database: DatabaseSync, file: string, findings: Findings): void {
  const pageBytes = Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
  const { size } = statSync(file);
  if (size % pageBytes === 0) return;
  const what = `the file has ${size} bytes, no whole number of pages of ${pageBytes}: it was cut short`;
  findings.add({ kind: "file", table: "(file)", what });
}

function unreadable(schema: Schema, findings: Findings, what: string): LedgerVerification {
  findings.add({ kind: "file", table: "(file)", what });
  return unreadBooks(schema, findings);
}
