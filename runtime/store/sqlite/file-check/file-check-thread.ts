/** The thread that `file-check.ts` starts: checks one file. */
import { DatabaseSync } from "node:sqlite";
import { answerTasks } from "../../../platform/worker.ts";
import { damageIn } from "./check-file.ts";

answerTasks(() => (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return damageIn(database);
  } finally {
    database.close();
  }
});
