import type { FinishTaskHandler } from "../../generated/handlers.ts";
import { tasks, topic } from "../tasks.ts";
import type { Contexts } from "./contexts.ts";

/** Finishes a task. */
export const finishTask: FinishTaskHandler<Contexts> = async ({ id }, context) => {
  const { store, caller, events } = context;
  const stored = await store.one(tasks.byKey, caller.institutionId, id);
  if (stored === undefined) throw context.error("NO_TASK", { field: "/id" });
  if (stored.state === "done") return stored;
  const task = { ...stored, state: "done" } as const;
  await store.replace(tasks, task, stored);
  // Committed with the change, or not at all; delivered after that.
  const { title, state } = task;
  await events.record({ name: "Task.FINISHED", topics: [topic], payload: { id, title, state } });
  return task;
};
