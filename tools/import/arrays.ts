import { cannotSay, type Dropped } from "./findings.ts";
import { isList, memberOf } from "./json.ts";
import type { Merged } from "./merge.ts";
import type { Convert } from "./objects.ts";
import { withDropped } from "./remarks.ts";
import { numbers, type Place } from "./scalars.ts";
import { anything, type Shape } from "./shape.ts";
import { inside, type Site } from "./sources.ts";

/** A list, or a tuple where the document fixes every item. */
export function arrayShape(merged: Merged, place: Place, convert: Convert): Shape {
  const dropped: Dropped = {};
  const find = (name: string) =>
    merged.others.filter(({ keyword }) => keyword === name).map(({ site }) => site);
  for (const keyword of ["contains", "minContains", "maxContains"]) {
    for (const site of find(keyword)) {
      cannotSay(site, `\`${keyword}\` has no word in the spec language`, place);
      dropped[keyword] = site.value;
    }
  }
  const items = find("items").filter(({ value }) => value !== true);
  const positions = [...find("prefixItems"), ...items.filter(({ value }) => isList(value))];
  const [fixed] = positions;
  if (fixed !== undefined) return withDropped(tupleShape(fixed, merged, place, convert, dropped), dropped);
  const constraints = numbers(merged.limits, {
    minItems: "minItems",
    maxItems: "maxItems",
    uniqueItems: "uniqueItems",
  });
  const isEmpty = items.some(({ value }) => value === false);
  const item = items.length === 0 || isEmpty ? anything : convert(items, "Item");
  return withDropped(
    { kind: "array", items: item, constraints: isEmpty ? { ...constraints, maxItems: 0 } : constraints },
    dropped,
  );
}

/** Draft-07 has `items: [..]` with `additionalItems: false`, 2020-12 `prefixItems` with `items: false`. */
function tupleShape(fixed: Site, merged: Merged, place: Place, convert: Convert, dropped: Dropped): Shape {
  const count = isList(fixed.value) ? fixed.value.length : 0;
  const end = merged.others.find(
    ({ keyword, site }) => keyword === "additionalItems" || (keyword === "items" && !isList(site.value)),
  );
  const { minItems, maxItems } = merged.limits;
  const isClosed = end?.site.value === false || maxItems === count;
  const isWhole = isClosed && minItems === count && merged.parts.length === 1;
  const items = Array.from({ length: count }, (_, index) =>
    convert([inside(fixed, index)], `Item${index + 1}`),
  );
  if (isWhole && merged.limits.uniqueItems === undefined) return { kind: "tuple", items };
  cannotSay(
    fixed,
    "a list of fixed items is taken only where their number is fixed, too (`minItems`, and nothing behind them)",
    place,
  );
  dropped.items = memberOf(place.site.value, "prefixItems") ?? fixed.value;
  return {
    kind: "array",
    items: anything,
    constraints: numbers(merged.limits, { minItems: "minItems", maxItems: "maxItems" }),
  };
}
