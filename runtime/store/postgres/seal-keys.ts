import { setTimeout as sleep } from "node:timers/promises";
import { omitUndefined } from "../../contract/index.ts";
import type { Sealer } from "../ports/index.ts";
import { type RotateOptions, StoreOpenError, type KnownSealKeys } from "../common/adapter.ts";
import { sealedAnew, sealedPlaces, type Rotation, type SealProgress } from "../common/sealing.ts";
import type { SealedPlace } from "../common/verify/books.ts";
import type { Schema } from "../tables/schema.ts";
import type { Session } from "./connections.ts";

const rowsAtOnce = 500;
/** The server ends a connection some time after its client has. */
const closingMsMax = 2_000;
const othersSql =
  "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() " +
  "AND application_name LIKE current_setting('application_name') || '%'";

/**
 * Seals everything with the first key of `both`, some rows to a transaction. A run that was interrupted is finished by the
 * next one with the same keys; until then no service starts. Throws a `StoreOpenError` while a service is connected.
 */
export async function rotateSealKey(
  session: Session,
  schema: Schema,
  { both: bothKeys, formerKeyId, progress }: RotateOptions,
): Promise<Rotation> {
  await requireNoService(session);
  const { current } = await knownSealKeys(session);
  if (current === undefined)
    throw new StoreOpenError("The database has no seal key yet: start the service first");
  const both = bothKeys();
  if (current !== both.keyId) {
    if (current !== formerKeyId) throw otherSealKey(current, formerKeyId);
    await requireOpens(session, both);
    await session.execute("BEGIN");
    await session.change("UPDATE seal_keys SET state = 'FORMER' WHERE key_id = $1", [current]);
    await addSealKey(session, both);
    await session.execute("COMMIT");
  }
  const [former] = await formerSealKeys(session);
  const texts = await sealAll(session, sealedPlaces(schema), both, progress);
  await requireNoService(session);
  await session.execute("DELETE FROM seal_keys WHERE state = 'FORMER'");
  return omitUndefined({ keyId: both.keyId, texts, formerKeyId: former });
}

/** A service that was started before goes on sealing with the former key. */
async function requireNoService(session: Session): Promise<void> {
  const endsAtMs = performance.now() + closingMsMax;
  let others = await countOthers(session);
  while (others > 0 && performance.now() < endsAtMs) {
    await sleep(closingMsMax / 40);
    others = await countOthers(session);
  }
  if (others === 0) return;
  throw new StoreOpenError(
    `${others} connections of services to the database are open: stop every \`ledger-server\` first`,
  );
}

async function countOthers(session: Session): Promise<number> {
  const [[others = null] = []] = await session.rowsOnce(othersSql, []);
  return Number(others);
}

async function sealAll(
  session: Session,
  places: readonly SealedPlace[],
  sealer: Sealer,
  progress: SealProgress,
): Promise<number> {
  let of = 0;
  for (const { table } of places) {
    const [[count = null] = []] = await session.rowsOnce(`SELECT count(*) FROM ${table.name}`, []);
    of += Number(count);
  }
  let rows = 0;
  let texts = 0;
  for (const place of places) {
    for (let after: Place | undefined; ;) {
      const batch = await sealBatch(session, sealer, place, after);
      rows += batch.rows;
      texts += batch.texts;
      progress(rows, of);
      if (batch.rows < rowsAtOnce) break;
      after = batch.last;
    }
  }
  return texts;
}

/** Values of a key. */
type Place = readonly (string | null)[];

async function sealBatch(session: Session, sealer: Sealer, place: SealedPlace, after: Place | undefined) {
  const { table, column } = place;
  const key = table.key.map(({ name }) => name);
  const list = key.join(", ");
  const places = key.map((_name, index) => `$${index + 1}`).join(", ");
  const where = after === undefined ? "" : `WHERE (${list}) > (${places})`;
  await session.execute("BEGIN");
  try {
    const found = await session.rowsOnce(
      `SELECT ${column}, ${list} FROM ${table.name} ${where} ORDER BY ${list} LIMIT ${rowsAtOnce} FOR UPDATE`,
      after ?? [],
    );
    const terms = key.map((name, index) => `${name} = $${index + 2}`).join(" AND ");
    let texts = 0;
    for (const [text, ...values] of found) {
      if (typeof text !== "string") continue;
      const anew = sealedAnew(place, text, sealer);
      if (anew === text) continue;
      await session.change(`UPDATE ${table.name} SET ${column} = $1 WHERE ${terms}`, [anew, ...values]);
      texts += 1;
    }
    await session.execute("COMMIT");
    const last = (found.at(-1) ?? []).slice(1).map((value) => (value === null ? null : String(value)));
    return { rows: found.length, texts, last };
  } catch (error) {
    await session.execute("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

const checkText = "ledger-rpc";
const currentSql = "SELECT key_id, check_sealed FROM seal_keys WHERE state = 'CURRENT'";
const addSql =
  "INSERT INTO seal_keys (key_id, state, check_sealed, created_at) VALUES ($1, 'CURRENT', $2, $3) " +
  "ON CONFLICT DO NOTHING";

/** The seal keys that the database names. */
export async function knownSealKeys(session: Session): Promise<KnownSealKeys> {
  const [row] = await session.rowsOnce(currentSql, []);
  return row === undefined ? { isSealed: false } : { current: String(row[0]), isSealed: true };
}

/** Keys that have sealed what an interrupted rotation has not sealed anew yet. */
async function formerSealKeys(session: Session): Promise<readonly string[]> {
  const rows = await session.rowsOnce("SELECT key_id FROM seal_keys WHERE state = 'FORMER'", []);
  return rows.map(([keyId]) => String(keyId));
}

async function addSealKey(session: Session, sealer: Sealer): Promise<void> {
  await session.change(addSql, [sealer.keyId, sealer.seal(checkText), Date.now()]);
}

/**
 * Makes sure that the key is the database's; the first one becomes it. Throws a `StoreOpenError` for another key, and where
 * a rotation was not finished.
 */
export async function requireSealKey(session: Session, sealer: Sealer): Promise<void> {
  const known = await knownSealKeys(session);
  if (known.current === undefined) await addSealKey(session, sealer);
  const { current } = known.current === undefined ? await knownSealKeys(session) : known;
  if (current !== sealer.keyId) throw otherSealKey(String(current), sealer.keyId);
  const [former] = await formerSealKeys(session);
  if (former !== undefined) {
    throw new StoreOpenError(
      `A rotation of the seal key from ${former} to ${current} was interrupted. Finish it with both keys: ` +
        "`ledger-server rotate-seal-key`",
    );
  }
  await requireOpens(session, sealer);
}

/** Throws a `StoreOpenError` unless one of the sealer's keys is the database's. */
async function requireOpens(session: Session, sealer: Sealer): Promise<void> {
  const [[, check = null] = []] = await session.rowsOnce(currentSql, []);
  try {
    sealer.open(String(check));
  } catch (cause) {
    throw new StoreOpenError("The database was sealed with another key than the one given: give that key", {
      cause,
    });
  }
}

function otherSealKey(current: string, given: string): StoreOpenError {
  return new StoreOpenError(
    `The database is sealed with key ${current}; the key given is ${given}. Give every process the former, in ` +
      "LEDGER_SEAL_KEY or, in the sandbox, as seal.key in the data folder",
  );
}
