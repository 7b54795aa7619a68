import { refuse, type Owner } from "./findings.ts";
import type { Conversion } from "./flatten.ts";
import { memberOf, type Json } from "./json.ts";
import type { Site } from "./sources.ts";

/** Follows the `$ref` of a method, a content descriptor, an error or an example. */
export function followed(site: Site, { sources }: Conversion, owner: Owner | undefined): Site {
  let at = site;
  for (let steps = 0; steps < 32; steps += 1) {
    const reference = memberOf(at.value, "$ref");
    if (typeof reference !== "string") return at;
    const target = sources.follow(reference, at);
    if ("problem" in target) {
      if (owner !== undefined) refuse(at, target.problem, owner);
      return { ...at, value: {} };
    }
    at = target;
  }
  if (owner !== undefined) refuse(site, "the `$ref` refers only to itself", owner);
  return { ...site, value: {} };
}

/** Some members of an object, those that it has. */
export function pick(value: Json, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const member = memberOf(value, name);
      return member === undefined ? [] : [[name, member] as const];
    }),
  );
}
