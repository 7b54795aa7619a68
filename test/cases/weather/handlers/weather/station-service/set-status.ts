import type { SetStatusHandler } from "../../../generated/weather/handlers.ts";
import type { Contexts } from "../contexts.ts";
import { stations } from "../network.ts";

export const setStatus: SetStatusHandler<Contexts> = async (payload, context) => {
  const station = stations.get(payload.code);
  if (station === undefined) throw context.error("UNKNOWN_STATION");
  stations.set(station.code, { ...station, status: payload.status });
  return { status: payload.status };
};
