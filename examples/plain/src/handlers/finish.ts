import type { FinishHandler } from "../../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** Finishes a task. */
export const finish: FinishHandler<Contexts> = async ({ id }, { tasks, error }) => {
  const task = tasks.finish(id);
  if (task === undefined) throw error("NO_TASK");
  return task;
};
