import type { AddHandler } from "../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

export const add: AddHandler<Contexts> = async ({ a, b }, context) => {
  if (a + b > 1000) throw context.error("TOO_MUCH");
  return a + b;
};
