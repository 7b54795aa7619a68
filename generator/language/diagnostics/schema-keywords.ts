const allowed = "write what is allowed: an `enum`, a `pattern`, bounds, or a union `A|B`";
const condition = "write `requiredWhen`, or a union of the objects that there can be";
const together = "write `requiredWhen`, `atLeastOneOf` or `exactlyOneOf`";
const open = "write `closed: true` where no other members are taken, or `map of T` where they have a type";
const named = "write the name of the type";

/** Keywords of JSON Schema that the spec language does not have, and what to write instead. */
const instead: ReadonlyMap<string, string> = new Map([
  ["not", allowed],
  ["multipleOf", "write an integer of a smaller unit, or check it in the handler"],
  ["if", condition],
  ["then", condition],
  ["else", condition],
  ["contains", "write the type that every item has; a tuple where one place differs"],
  ["minContains", "write the type that every item has; a tuple where one place differs"],
  ["maxContains", "write the type that every item has; a tuple where one place differs"],
  ["dependencies", together],
  ["dependentRequired", together],
  ["dependentSchemas", together],
  ["unevaluatedProperties", open],
  ["unevaluatedItems", "write `tuple of [A, B]`, which takes no further items"],
  ["additionalProperties", open],
  ["patternProperties", "write `map of T` with `keys: K`, where K is a text with a `pattern`"],
  ["propertyNames", "write `map of T` with `keys: K`"],
  ["prefixItems", "write `tuple of [A, B]`"],
  ["anyOf", "write `type: A|B`"],
  ["allOf", "list the fields of all of them in one type"],
  ["includes", "list the fields of the other types here: `includes` is not supported yet"],
  ["$ref", named],
  ["$dynamicRef", named],
  ["$recursiveRef", named],
]);

/** The key of the spec language for a keyword of JSON Schema; undefined for any other key. */
export function insteadOfKeyword(key: string): string | undefined {
  return instead.get(key);
}
