import type { Sealer } from "../../ports/index.ts";
import type { KnownSealKeys } from "../common/adapter.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import type { Session } from "./connections.ts";

const checkText = "ledger-rpc";
const currentSql = "SELECT key_id, check_sealed FROM seal_keys WHERE state = 'CURRENT'";
const addSql =
  "INSERT INTO seal_keys (key_id, state, check_sealed, created_at) VALUES ($1, 'CURRENT', $2, $3) " +
  "ON CONFLICT DO NOTHING";

/** What the database says of its keys. */
export async function knownSealKeys(session: Session): Promise<KnownSealKeys> {
  const [row] = await session.rowsOnce(currentSql, []);
  return row === undefined ? { isSealed: false } : { current: String(row[0]), isSealed: true };
}

/** Makes sure that the key is the database's; the first one becomes it. Throws a `StoreOpenError` for another key. */
export async function requireSealKey(session: Session, sealer: Sealer): Promise<void> {
  const [found] = await session.rowsOnce(currentSql, []);
  if (found === undefined) await session.change(addSql, [sealer.keyId, sealer.seal(checkText), Date.now()]);
  const [current] = found === undefined ? await session.rowsOnce(currentSql, []) : [found];
  const [keyId, check] = current ?? [];
  if (keyId !== sealer.keyId) {
    throw new StoreOpenError(
      `The database is sealed with key ${keyId}; the key given is ${sealer.keyId}. Give every process the former, in ` +
        "LEDGER_SEAL_KEY or, in the sandbox, as seal.key in the data folder",
    );
  }
  try {
    sealer.open(String(check));
  } catch (cause) {
    throw new StoreOpenError("The database was sealed with another key than the one given: give that key", {
      cause,
    });
  }
}
