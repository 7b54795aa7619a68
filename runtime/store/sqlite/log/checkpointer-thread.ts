/** The thread that `checkpointer.ts` starts: moves the log to the file each time it is asked to. */
import { answerTasks } from "../../../platform/worker.ts";
import { openConnection } from "../connection.ts";
import {
  checkpoint,
  type CheckpointMode,
  type CheckpointerSettings,
  type CheckpointOutcome,
} from "./wal-limit.ts";

answerTasks(({ file }: CheckpointerSettings) => {
  const connection = openConnection(file, { readOnly: false });
  return (mode: CheckpointMode): CheckpointOutcome =>
    checkpoint(connection, mode) ? "all-moved" : "not-all-moved";
});
