import type { ListTasksHandler } from "../../generated/handlers.ts";
import { allTasks } from "../tasks.ts";
import type { Contexts } from "./contexts.ts";

/** Lists tasks, oldest first. */
export const listTasks: ListTasksHandler<Contexts> = async ({ state }, { store, caller }) => {
  const all = await store.many(allTasks, caller.institutionId);
  return { tasks: all.filter((task) => state === undefined || task.state === state) };
};
