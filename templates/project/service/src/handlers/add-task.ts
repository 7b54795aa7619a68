import type { AddTaskHandler } from "../../generated/handlers.ts";
import { tasks, type TaskRecord } from "../tasks.ts";
import type { Contexts } from "./contexts.ts";

/** Adds a task. */
export const addTask: AddTaskHandler<Contexts> = async ({ title }, { store, caller, ids, clock }) => {
  const { institutionId } = caller;
  const task: TaskRecord = { id: ids.id(), institutionId, title, state: "open", createdAt: clock.now() };
  await store.insert(tasks, task);
  return task;
};
