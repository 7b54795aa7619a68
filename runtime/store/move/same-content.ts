import { createHash, type Hash } from "node:crypto";
import { StoreOpenError } from "../common/store-open-error.ts";
import type { Session } from "../postgres/connections.ts";
import type { RawRows, RawTable } from "../sqlite/raw-rows.ts";

const rowsAtOnce = 1_000;

/** Throws a `StoreOpenError` unless both have the same rows in a table, compared by a hash over all of their values. */
export async function requireSameContent(source: RawRows, target: Session, table: RawTable): Promise<void> {
  const moved = createHash("sha256");
  let rows = 0;
  for await (const row of rowsByKey(target, table)) {
    add(moved, row);
    rows += 1;
  }
  const kept = createHash("sha256");
  for (const row of source.rows(table, "key")) add(kept, row);
  const count = source.count(table);
  if (rows === count && moved.digest("hex") === kept.digest("hex")) return;
  throw new StoreOpenError(
    `${table.name}: the target has ${rows} rows and not the content of the ${count} of the source. Did a service write ` +
      "to one of them since the move began? Empty the target (drop and create the database) and move again",
  );
}

function add(hash: Hash, row: readonly unknown[]): void {
  hash.update(JSON.stringify(row)).update("\n");
}

async function* rowsByKey(target: Session, { name, columns, key }: RawTable) {
  const list = columns.map((column) => column.name).join(", ");
  await target.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await target.execute(
    `DECLARE moved NO SCROLL CURSOR FOR SELECT ${list} FROM ${name} ORDER BY ${key.join(", ")}`,
  );
  let batch = await target.rowsOnce(`FETCH ${rowsAtOnce} FROM moved`, []);
  while (batch.length > 0) {
    yield* batch;
    batch = await target.rowsOnce(`FETCH ${rowsAtOnce} FROM moved`, []);
  }
  await target.execute("COMMIT");
}
