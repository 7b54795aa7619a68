import { loadValidator } from "../shared/validator.ts";
import type { TriedInterface } from "./tried.ts";

/** Where the files of the interface are that the page's address names: `/docs/try/<name>/`. */
export interface Place {
  readonly name: string;
  readonly folder: URL;
}

/** A module that calls the interfaces of one protocol. */
export interface CallsModule {
  load(place: Place): Promise<TriedInterface>;
}

export function placeOf(address: Location): Place {
  const parts = address.pathname.split("/").filter((part) => part !== "" && part !== "index.html");
  const name = decodeURIComponent(parts.at(-1) ?? "");
  return { name, folder: new URL(`../../generated/${encodeURIComponent(name)}/`, import.meta.url) };
}

/** How modules end here: a checkout serves its own sources, without their types. */
export const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** The functions that a module exports. */
export function functionsIn(module: unknown): readonly unknown[] {
  return typeof module === "object" && module !== null
    ? Object.values(module).filter((value) => typeof value === "function")
    : [];
}

/** Loads the generated validators of payloads and results below the folder of an interface. */
export function validatorsIn(folder: URL): TriedInterface["validator"] {
  return ({ type }, of) => {
    const validator = `validate${type}${of === "payload" ? "Payload" : "Result"}`;
    return loadValidator(new URL(`validators/${of}s.js`, folder), validator);
  };
}
