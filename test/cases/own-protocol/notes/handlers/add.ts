import type { AddHandler } from "../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

export const add: AddHandler<Contexts> = async ({ text }, context) => {
  if (text === "too much") throw context.error("FULL");
  return { id: 1, text };
};
