import type { NonceRecord, StoreTransaction } from "../../ports/index.ts";
import type { WriteEngine } from "./engine.ts";
import * as queries from "./queries.ts";
import { nonces } from "../tables/index.ts";

/** Marks are nonces without an owner, kept beside the others: each expires with the last one that was removed. */
const noOwner = "";
/** The mark of all nonces that expire up to then. The others are each of ten minutes of expiry, and named after them. */
const ofAll = "";
const spanMs = 10 * 60_000;
/** Marks that expired so long ago become part of the one of all. */
const apartForMs = 12 * 3_600_000;

/**
 * Nonces are taken once, also after they were removed: marks tell which ones that may have been, by spans of expiry: a clock
 * that was ahead, and is put right, leaves free what it had jumped over.
 */
export function nonceTransaction(
  engine: WriteEngine,
): Pick<StoreTransaction["nonces"], "take" | "removeExpired"> {
  const find = async (owner: string, nonce: string) => engine.one(queries.nonceByName, [owner, nonce]);

  async function isRemoved({ expiresAt }: NonceRecord): Promise<boolean> {
    for (const name of [ofAll, spanOf(expiresAt)]) {
      const mark = await find(noOwner, name);
      if (mark !== undefined && expiresAt <= mark.expiresAt) return true;
    }
    return false;
  }

  return {
    async take(record) {
      if (record.owner === noOwner) throw new Error("nonces.take: a nonce has an owner");
      if (await isRemoved(record)) return false;
      if ((await find(record.owner, record.nonce)) !== undefined) return false;
      await engine.insertAll(nonces, [record]);
      return true;
    },
    async removeExpired(time, limit) {
      const removed = await engine.take(queries.expiredNonces, [time, limit]);
      await engine.putAll(nonces, marksOf(removed, time));
      return removed.filter(({ owner }) => owner !== noOwner).length;
    },
  };
}

/** The marks of nonces that are removed, the first to expire first. Marks that have expired are among them. */
function marksOf(removed: readonly NonceRecord[], time: number): readonly NonceRecord[] {
  const marks = new Map<string, NonceRecord>();
  for (const { owner, nonce, expiresAt } of removed) {
    const isOfAll = owner === noOwner && nonce === ofAll;
    const name = isOfAll || expiresAt < time - apartForMs ? ofAll : spanOf(expiresAt);
    marks.set(name, { owner: noOwner, nonce: name, expiresAt });
  }
  return [...marks.values()];
}

function spanOf(timeMs: number): string {
  return `${Math.floor(timeMs / spanMs)}`;
}
