import { readFileSync } from "node:fs";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "../..");

/** A function that ARCHITECTURE.md names as a step of a walk: `runtime/http/rpc.ts:responseTo`. */
export interface Hop {
  readonly path: string;
  readonly name: string;
}

/** The hops of each walk, by its heading. */
export const walks: ReadonlyMap<string, readonly Hop[]> = new Map(
  readFileSync(join(repository, "ARCHITECTURE.md"), "utf8")
    .split(/^## /m)
    .map((section) => [section.slice(0, section.indexOf("\n")), hopsOf(section)] as const)
    .filter(([, hops]) => hops.length > 0),
);

function hopsOf(text: string): readonly Hop[] {
  return [...text.matchAll(/`([\w/-]+\.ts):(\w+)`/g)].map(([, path = "", name = ""]) => ({ path, name }));
}
