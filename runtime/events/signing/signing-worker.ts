/** Entry of the worker that `signing-pool.ts` starts: builds and signs notifications in batches. */
import { answerTasks } from "../../platform/worker.ts";
import { createNotificationSigner } from "./signed-notification.ts";
import { createDraftUnpacker, packSigned, type DraftsMessage } from "./signing-messages.ts";

answerTasks(
  () => {
    const unpacked = createDraftUnpacker();
    const signNotification = createNotificationSigner();
    return (message: DraftsMessage) => packSigned(unpacked(message).map(signNotification));
  },
  ({ bytes }) => [bytes],
);
