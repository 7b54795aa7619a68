import type { AddHandler } from "../../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** Adds a task. */
export const add: AddHandler<Contexts> = async ({ title }, { tasks }) => {
  return tasks.add(title);
};
