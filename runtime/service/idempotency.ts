import { createHash } from "node:crypto";
import type { AuthIdentities } from "../auth/port.ts";
import { callError, type CallError } from "./call-error.ts";
import type { Repetitions, RepetitionKey } from "./options.ts";

/** A call that was sent with an `Idempotency-Key`. */
export interface RepetitionRequest {
  readonly key: string;
  readonly method: string;
  readonly paramsBytes: Buffer | undefined;
}

/** With the position in a batch. */
const keyCharactersMax = 255;

/** Thrown to roll a call back whose key another call has kept in the meantime. */
export class KeptMeanwhile extends Error {
  override readonly name = "KeptMeanwhile";
}

interface RepetitionRecords {
  /** The first result of the same call, or the error for another call with the same key. */
  find(
    transaction: object,
    auth: AuthIdentities,
    request: RepetitionRequest,
  ): Promise<{ readonly kind: "done"; readonly resultText: string } | CallError | undefined>;
  /** @throws KeptMeanwhile where the key was kept since it was looked for. */
  keep(
    transaction: object,
    auth: AuthIdentities,
    request: RepetitionRequest,
    resultText: string,
  ): Promise<void>;
}

/** Repetitions by the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Only successes are kept. */
export function createRepetitionRecords(interfaceName: string, repetitions: Repetitions): RepetitionRecords {
  const keyOf = (auth: AuthIdentities, { key }: RepetitionRequest): RepetitionKey => ({
    interfaceName,
    owner: repetitions.ownerOf(auth),
    key,
  });
  return {
    async find(transaction, auth, request) {
      if (request.key === "" || request.key.length > keyCharactersMax)
        return callError("invalidRequest", { reason: "idempotency-key-invalid" });
      const known = await repetitions.find(transaction, keyOf(auth, request));
      if (known === undefined) return undefined;
      if (known.requestHash !== hashOf(request))
        return callError("invalidRequest", { reason: "idempotency-key-reused" });
      return { kind: "done", resultText: known.resultText };
    },
    async keep(transaction, auth, request, resultText) {
      const repetition = { requestHash: hashOf(request), resultText };
      if (!(await repetitions.keep(transaction, keyOf(auth, request), repetition))) throw new KeptMeanwhile();
    },
  };
}

function hashOf({ method, paramsBytes }: RepetitionRequest): string {
  const hash = createHash("sha256").update(JSON.stringify(method));
  return hash.update(paramsBytes ?? "").digest("hex");
}
