/** The thread that `verifying-pool.ts` starts: verifies the signatures of each message. */
import { parentPort } from "node:worker_threads";
import { isValidSignature } from "./is-valid-signature.ts";
import { unpackSignatures, type VerdictsMessage, type VerifyMessage } from "./verifying-messages.ts";

parentPort?.on("message", (message: VerifyMessage) => {
  const verdicts = Uint8Array.from(unpackSignatures(message), (signed) => Number(isValidSignature(signed)));
  parentPort?.postMessage({ verdicts } satisfies VerdictsMessage, [verdicts.buffer]);
});
