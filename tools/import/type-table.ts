import { stepsOf } from "../../conformance/values/index.ts";
import { pascalCase } from "../../generator/model/names.ts";
import { newOwner, type Owner } from "./findings.ts";
import type { Shape } from "./shape.ts";
import { placeOf, shown, type Site } from "./sources.ts";

/** A named type of the imported spec. */
export interface TypeEntry extends Owner {
  readonly name: string;
  readonly site: Site;
  /** Whether the document names it, or is it; else its name is made from where it stands. */
  readonly isComponent: boolean;
  shape?: Shape;
}

/** The named types of one import: one for each place that is referred to. */
export interface TypeTable {
  /** The type at a place, new or known. */
  at(site: Site): TypeEntry;
  /** A type for a part that has no name of its own; it counts as a part of its owner. */
  hoist(name: string, site: Site, shape: Shape): TypeEntry;
  named(name: string): TypeEntry | undefined;
  /** In the order in which they were met. */
  all(): readonly TypeEntry[];
}

export function createTypeTable(): TypeTable {
  const byPlace = new Map<string, TypeEntry>();
  const byName = new Map<string, TypeEntry>();
  const taken = new Set<string>();
  const claim = (wanted: string): string => {
    const base = /^[\p{L}_$]/u.test(wanted) && !builtIn.has(wanted) ? wanted : `${pascalCase(wanted)}Type`;
    let name = base;
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${base}${n}`;
    taken.add(name.toLowerCase());
    return name;
  };
  const add = (entry: TypeEntry): TypeEntry => {
    byName.set(entry.name, entry);
    return entry;
  };
  return {
    at(site) {
      const place = placeOf(site);
      const known = byPlace.get(place);
      if (known !== undefined) return known;
      const component = componentName(site.pointer);
      const name = claim(component ?? nameOfPath(site.pointer));
      const isComponent = component !== undefined || place === "#";
      const entry = add({ ...newOwner(), name, site, isComponent });
      byPlace.set(place, entry);
      return entry;
    },
    hoist: (name, site, shape) => add({ ...newOwner(), name: claim(name), site, isComponent: false, shape }),
    named: (name) => byName.get(name),
    all: () => [...byName.values()],
  };
}

/** Words of the spec language that are no names of types. */
const builtIn: ReadonlySet<string> = new Set(
  `string number integer boolean money timestamp offset-timestamp date year-month pem base64 url object array of map tuple json
  null none bigint uuid uri email date-time iso-date time ipv4 ipv6 hostname duration uri-reference regex json-pointer`.split(
    /\s+/,
  ),
);

/** The key under which a document keeps a type, as a name of the spec language. */
function componentName(pointer: string): string | undefined {
  const key =
    /^\/components\/(?:schemas|contentDescriptors)\/([^/]+)(?:\/schema)?$/.exec(pointer)?.[1] ??
    /^\/(?:\$defs|definitions)\/([^/]+)$/.exec(pointer)?.[1];
  return key === undefined ? undefined : legalName(stepsOf(`/${key}`).join(""));
}

function legalName(key: string): string {
  const legal = key.replaceAll(/[^\p{L}\p{M}\p{N}_$.-]/gu, "_");
  return legal.length <= 200 ? legal : shown(pascalCase(key));
}

/** `/components/schemas/Pet/properties/tag` → `PetTag`, `/methods/3/params/0/schema` → `Methods3Params0`. */
function nameOfPath(pointer: string): string {
  const distinguishing = pointer
    .replace(/^\/components\/(?:schemas|contentDescriptors)(?=\/)|^\/(?:\$defs|definitions)(?=\/)/, "")
    .replaceAll(/\/(?:schema|properties)(?=\/|$)/g, "");
  return distinguishing === "" ? "Root" : pascalCase(distinguishing);
}
