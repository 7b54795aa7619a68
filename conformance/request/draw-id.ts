import { randomInt } from "node:crypto";
import type { RequestIdEntry } from "../suite/suite.ts";

/** Draws an id that fits the pattern of an interface, of the greatest length, so that none comes twice. */
export function drawId({ parts }: RequestIdEntry): string {
  return parts
    .flatMap(({ characters, most }) =>
      Array.from({ length: most }, () => characters[randomInt(characters.length)]),
    )
    .join("");
}
