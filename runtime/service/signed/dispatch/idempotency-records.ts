import { createHash } from "node:crypto";
import { timeBounds } from "../../../contract/index.ts";
import { canonicalBytes } from "../../../auth/signing/index.ts";
import type { AnswerRecord, Clock, Sealer, Writes } from "../../../store/ports/index.ts";
import type { StoredResult, Route } from "../revisions/index.ts";
import type { ValidCall } from "../validate/index.ts";
import { answerByHash, answersBefore, answers } from "../../../store/tables/index.ts";

const rememberedMs = 24 * 60 * 60 * 1000;
const prunedEveryMs = 10 * 60 * 1000;
/** So that no call waits long for it, each call removes few until none are left. */
const prunedAtOnce = 50;

/** Results of `create` calls, stored in the transaction that made them (D-24). */
export interface IdempotencyRecords {
  /** The result of the same request inside 24 h. */
  find(tx: Writes, requestHash: string): Promise<StoredResult | undefined>;
  keep(tx: Writes, request: IdentifiedRequest, result: StoredResult): Promise<void>;
}

export type IdentifiedRequest = Pick<AnswerRecord, "requestHash" | "institutionId">;

/**
 * Stored results are sealed at rest: a result may hold a secret that is shown once. They are kept for 24 hours also where
 * the clock is set meanwhile, which would have a request that is repeated carried out twice.
 */
export function createIdempotencyRecords(clock: Clock, sealer: Sealer): IdempotencyRecords {
  const bounds = timeBounds(clock, rememberedMs);
  let prunedAtMs = 0;

  return {
    async find(tx, requestHash) {
      const record = await tx.one(answerByHash, requestHash);
      if (record === undefined) return undefined;
      const oldestMs = bounds().earliestMs - rememberedMs;
      if (record.createdAt > oldestMs) return opened(sealer, record.resultJson);
      await tx.remove(answerByHash, requestHash);
      return undefined;
    },
    async keep(tx, request, { text, revision }) {
      const { earliestMs, latestMs } = bounds();
      if (Math.abs(earliestMs - prunedAtMs) >= prunedEveryMs) {
        const removed = await (
          await tx.take(answersBefore, earliestMs - rememberedMs + 1, prunedAtOnce)
        ).length;
        if (removed < prunedAtOnce) prunedAtMs = earliestMs;
      }
      const resultJson = JSON.stringify({ sealed: sealer.seal(text), revision });
      await tx.insert(answers, { ...request, resultJson, createdAt: latestMs });
    },
  };
}

/** Records written before revision names were stored hold the sealed text alone. */
function opened(sealer: Sealer, resultJson: string): StoredResult {
  const kept: unknown = JSON.parse(resultJson);
  if (typeof kept !== "object" || kept === null || !("sealed" in kept) || !("revision" in kept))
    return { text: sealer.open(String(kept)), revision: "" };
  return { text: sealer.open(String(kept.sealed)), revision: String(kept.revision) };
}

/**
 * Names a request: interface, user, key, method, request id and payload in canonical form, so that a retry through
 * a proxy that re-serialises is still the same. Nothing for a request that has no identity.
 */
export function requestHashOf(
  interfaceName: string,
  call: ValidCall,
  { identity }: Route,
): string | undefined {
  const { caller, requestIdentity, envelope } = call;
  if (requestIdentity === undefined) return undefined;
  const parts = [interfaceName, caller.userName, caller.keyId ?? "", identity, requestIdentity];
  return createHash("sha256")
    .update(JSON.stringify(parts))
    .update(canonicalBytes(envelope.payload))
    .digest("hex");
}
