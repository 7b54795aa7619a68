import type { Sealer } from "../../ports/index.ts";
import type { KnownSealKeys } from "../../common/adapter.ts";
import { StoreOpenError } from "../../common/store-open-error.ts";
import type { Session } from "../connections.ts";

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
export async function formerSealKeys(session: Session): Promise<readonly string[]> {
  const rows = await session.rowsOnce("SELECT key_id FROM seal_keys WHERE state = 'FORMER'", []);
  return rows.map(([keyId]) => String(keyId));
}

export async function addSealKey(session: Session, sealer: Sealer): Promise<void> {
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
export async function requireOpens(session: Session, sealer: Sealer): Promise<void> {
  const [[, check = null] = []] = await session.rowsOnce(currentSql, []);
  try {
    sealer.open(String(check));
  } catch (cause) {
    throw new StoreOpenError("The database was sealed with another key than the one given: give that key", {
      cause,
    });
  }
}

export function otherSealKey(current: string, given: string): StoreOpenError {
  return new StoreOpenError(
    `The database is sealed with key ${current}; the key given is ${given}. Give every process the former, in ` +
      "LEDGER_SEAL_KEY or, in the sandbox, as seal.key in the data folder",
  );
}
