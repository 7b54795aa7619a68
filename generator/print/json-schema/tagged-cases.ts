import type { JsonSchema } from "./keywords.ts";

/** A union whose cases a member names. */
export interface TaggedCases {
  readonly tag: string;
  /** The members of a value besides its tag, by the value of the tag. */
  readonly cases: readonly { readonly value: string; readonly schema: JsonSchema }[];
}

/** The cases of a schema as `taggedSchema` makes one; undefined for any other. */
export function taggedCases({ required = [], oneOf = [] }: JsonSchema): TaggedCases | undefined {
  const [tag] = required;
  if (tag === undefined || oneOf.length === 0) return undefined;
  const cases = oneOf.flatMap(({ properties = {}, ...schema }) => {
    const value = properties[tag]?.const;
    const isOurs = Object.keys(properties).length === 1 && Object.keys(schema).join() === "allOf";
    return typeof value === "string" && isOurs ? [{ value, schema }] : [];
  });
  return cases.length === oneOf.length ? { tag, cases } : undefined;
}
