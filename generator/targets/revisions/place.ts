import type { Way } from "./by-rule.ts";

/** A place in a value that is converted, as the walk over two revisions stands at it. */
export interface Place {
  readonly way: Way;
  /** As the comparison of the two revisions names it: `types/Account/parent`. */
  readonly path: string;
  /** The stem of the name of the function that converts it: `AccountParent`. */
  readonly name: string;
  /** The TypeScript types of the value in both revisions. */
  readonly old: string;
  readonly new: string;
  /** Pairs of differently named types on the way here, so that a recursive type is not followed for ever. */
  readonly trail: readonly string[];
}

/** The type of what is converted. */
export function takes({ way, ...types }: Place): string {
  return way === "up" ? types.old : types.new;
}

/** The type of what it is converted to. */
export function gives({ way, ...types }: Place): string {
  return way === "up" ? types.new : types.old;
}

/** A field of the object at a place. */
export function fieldPlace(
  place: Place,
  old: { readonly name: string; readonly optional: boolean },
  recent: { readonly name: string; readonly optional: boolean },
): Place {
  return {
    ...place,
    path: `${place.path}/${recent.name}`,
    name: place.name + capitalized(recent.name),
    old: memberType(place.old, old),
    new: memberType(place.new, recent),
  };
}

/** The items of the array at a place. */
export function itemPlace(place: Place): Place {
  return {
    ...place,
    path: `${place.path}[]`,
    name: `${place.name}Item`,
    old: `${place.old}[number]`,
    new: `${place.new}[number]`,
  };
}

/** The same place where its value is not null. */
export function withoutNull(place: Place): Place {
  return { ...place, old: `Exclude<${place.old}, null>`, new: `Exclude<${place.new}, null>` };
}

function memberType(
  type: string,
  { name, optional }: { readonly name: string; readonly optional: boolean },
): string {
  const member = `${type}[${JSON.stringify(name)}]`;
  return optional ? `NonNullable<${member}>` : member;
}

function capitalized(name: string): string {
  const word = name.replaceAll(/[^\p{ID_Continue}]/gu, "");
  return word.charAt(0).toUpperCase() + word.slice(1);
}
