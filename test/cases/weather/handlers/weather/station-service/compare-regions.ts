import type { CompareRegionsHandler } from "../../../generated/weather/handlers.ts";
import type { Region } from "../../../generated/weather/types.ts";
import type { Contexts } from "../contexts.ts";

export const compareRegions: CompareRegionsHandler<Contexts> = async ({ left, right }) => {
  return { depths: [depth(left), depth(right)] };
};

function depth({ parts = [] }: Region): number {
  return 1 + Math.max(0, ...parts.map(depth));
}
