import type { PushReadingHandler } from "../../generated/weather/handlers.ts";
import type { Contexts } from "./contexts.ts";
import { readings, stations } from "./network.ts";

export const pushReading: PushReadingHandler<Contexts> = async (reading, context) => {
  const station = stations.get(reading.stationCode);
  if (station === undefined) throw context.error("UNKNOWN_STATION", { field: "/stationCode" });
  readings.set(station.code, reading);
  stations.set(station.code, { ...station, status: "LIVE" });
  return { taken: true };
};
