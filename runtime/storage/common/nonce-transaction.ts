import type { NonceRecord, StoreTransaction } from "../../ports/index.ts";
import type { WriteEngine } from "./engine.ts";
import * as queries from "./queries.ts";
import { nonces } from "../tables/index.ts";

/** A nonce without an owner, kept beside the others: it expires with the last one that was removed. */
const removedMark = { owner: "", nonce: "" };

/** Nonces are taken once, also after they were removed: the mark tells which ones that may have been. */
export function nonceTransaction(
  engine: WriteEngine,
): Pick<StoreTransaction["nonces"], "take" | "removeExpired"> {
  const find = async ({ owner, nonce }: Pick<NonceRecord, "owner" | "nonce">) =>
    engine.one(queries.nonceByName, [owner, nonce]);

  return {
    async take(record) {
      if (record.owner === removedMark.owner) throw new Error("nonces.take: a nonce has an owner");
      const removed = await find(removedMark);
      if (removed !== undefined && record.expiresAt <= removed.expiresAt) return false;
      if ((await find(record)) !== undefined) return false;
      await engine.insertAll(nonces, [record]);
      return true;
    },
    async removeExpired(time, limit) {
      const removed = await engine.take(queries.expiredNonces, [time, limit]);
      const last = removed.at(-1);
      if (last !== undefined) await engine.putAll(nonces, [{ ...removedMark, expiresAt: last.expiresAt }]);
      return removed.filter(({ owner }) => owner !== removedMark.owner).length;
    },
  };
}
