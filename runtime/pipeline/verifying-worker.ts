/** The thread that `verifying-pool.ts` starts: verifies the signatures of a slot at each message. */
import type { KeyObject } from "node:crypto";
import { answerTasks } from "../platform/worker.ts";
import { isValidSignature } from "../auth/signing/index.ts";
import { slotsOf, verifySlot, type VerifySlotMessage, type VerifyingWorkerData } from "./verifying-pool.ts";

answerTasks(({ memory }: VerifyingWorkerData) => {
  const slots = slotsOf(memory);
  const keys: KeyObject[] = [];
  return ({ slot, newKeys, newKeysAt }: VerifySlotMessage): void => {
    if (newKeys.length > 0) keys.splice(newKeysAt, Infinity, ...newKeys);
    const filled = slots[slot];
    if (filled !== undefined) verifySlot(filled, keys, isValidSignature);
  };
});
