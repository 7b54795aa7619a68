import type { ListHandler } from "../../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** Lists tasks, oldest first. */
export const list: ListHandler<Contexts> = async ({ state }, { tasks }) => {
  return tasks.list(state ?? undefined);
};
