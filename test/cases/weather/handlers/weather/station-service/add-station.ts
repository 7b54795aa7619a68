import type { AddStationHandler } from "../../../generated/weather/handlers.ts";
import { decimal } from "../../../runtime/contract/index.ts";
import type { Contexts } from "../contexts.ts";
import { stations } from "../network.ts";

export const addStation: AddStationHandler<Contexts> = async (payload, context) => {
  if (stations.has(payload.code)) throw context.error("TAKEN");
  const keeper =
    payload.kind === "land" ? (payload.landlord ?? { name: payload.address }) : { name: "the sea" };
  const station = {
    code: payload.code,
    status: "PLANNED" as const,
    country: payload.country,
    keeper,
    rent: payload.rent ?? decimal("0.00"),
    builtOn: "20260101",
    changedAt: new Date(context.clock.now()).toISOString(),
    instruments: ["thermometer", "2m-mast"] as const,
  };
  stations.set(station.code, station);
  return station;
};
