/** The thread that `verifying-pool.ts` starts: verifies the signatures of a slot at each message. */
import type { KeyObject } from "node:crypto";
import { answerTasks } from "../../contract/worker.ts";
import { isValidSignature } from "./signatures.ts";
import { slotsOf, verifySlot } from "./verifying-slot.ts";

/** The data that the thread is started with. */
export interface VerifyingWorkerData {
  readonly memory: SharedArrayBuffer;
}

/** Asks for the verdicts of a slot. */
export interface VerifySlotMessage {
  readonly slot: number;
  /** Keys that the thread has not, and the index of the first of them: those from there on are forgotten. */
  readonly newKeys: readonly KeyObject[];
  readonly newKeysAt: number;
}

answerTasks(({ memory }: VerifyingWorkerData) => {
  const slots = slotsOf(memory);
  const keys: KeyObject[] = [];
  return ({ slot, newKeys, newKeysAt }: VerifySlotMessage): void => {
    if (newKeys.length > 0) keys.splice(newKeysAt, Infinity, ...newKeys);
    const filled = slots[slot];
    if (filled !== undefined) verifySlot(filled, keys, isValidSignature);
  };
});
