import type { GetStationHandler } from "../../../generated/weather/handlers.ts";
import type { Contexts } from "../contexts.ts";
import { readings, stations } from "../network.ts";

export const getStation: GetStationHandler<Contexts> = async ({ code }, context) => {
  // No station of this network is found by its position.
  const station = stations.get(code ?? "");
  if (station === undefined) throw context.error("UNKNOWN_STATION");
  const last = readings.get(station.code);
  return { station, ...(last === undefined ? {} : { last }) };
};
