import type { Reading, Station } from "../../generated/weather/types.ts";

/** The stations, for as long as the process lives. */
export const stations = new Map<string, Station>();
export const readings = new Map<string, Reading>();
