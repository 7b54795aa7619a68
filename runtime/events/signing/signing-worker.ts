/** Entry of the worker that `signing-pool.ts` starts: builds and signs notifications in batches. */
import { parentPort } from "node:worker_threads";
import { createNotificationSigner } from "./signed-notification.ts";
import { createDraftUnpacker, packSigned, type DraftsMessage } from "./signing-messages.ts";

const unpacked = createDraftUnpacker();
const signNotification = createNotificationSigner();

parentPort?.on("message", (message: DraftsMessage) => {
  const answer = packSigned(unpacked(message).map(signNotification));
  parentPort?.postMessage(answer, [answer.bytes]);
});
