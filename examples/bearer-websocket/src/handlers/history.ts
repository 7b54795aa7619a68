import type { HistoryHandler } from "../../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** The last messages, oldest first. */
export const history: HistoryHandler<Contexts> = async ({ limit }, { room }) => {
  return room.history(limit ?? 20);
};
