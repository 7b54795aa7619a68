import type { Json } from "./json.ts";
import { placeOf, type Site } from "./sources.ts";

/** One thing that could not be taken as it is. */
export interface Finding {
  /** `#/components/schemas/Pet/not`: JSON Pointer, after the address of another document. */
  readonly pointer: string;
  readonly reason: string;
  /**
   * `read`: taken by a rule of docs/import.md. `assumed`: values of other types are judged otherwise. `dropped`: the
   * type takes more than the document says. `refused`: it could not be taken.
   */
  readonly effect: "read" | "assumed" | "dropped" | "refused";
}

/** The part that findings are reported for: a method or a named type. */
export interface Owner {
  readonly findings: Finding[];
  /** Names of the types that it refers to. */
  readonly uses: Set<string>;
}

export function newOwner(): Owner {
  return { findings: [], uses: new Set() };
}

/** The constraints that were dropped from one shape, by keyword: they are kept as `x-dropped`. */
export type Dropped = Record<string, Json>;

/** Notes what the language cannot say: with `--lossy` it is dropped, else the owner is refused. */
export function cannotSay(
  site: Pick<Site, "uri" | "pointer">,
  reason: string,
  { owner, lossy }: { readonly owner: Owner; readonly lossy: boolean },
): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: lossy ? "dropped" : "refused" });
}

/** Notes how a part was taken, which changes no value that fits. */
export function noteReading(site: Pick<Site, "uri" | "pointer">, reason: string, owner: Owner): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: "read" });
}

/** Notes a type that the document does not state. */
export function noteAssumption(site: Pick<Site, "uri" | "pointer">, reason: string, owner: Owner): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: "assumed" });
}

export function refuse(site: Pick<Site, "uri" | "pointer">, reason: string, owner: Owner): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: "refused" });
}
