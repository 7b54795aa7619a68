/** The members that are not undefined: those that may be are optional instead. */
type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
} & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** A copy without the members whose value is undefined: an absent member is left out, never present and undefined. */
export function omitUndefined<const T extends object>(members: T): Defined<T>;
export function omitUndefined(members: Readonly<Record<string, unknown>>): object {
  const defined: Record<string, unknown> = {};
  // Models have tens of thousands: by `Object.entries` and `Object.fromEntries` one takes nine times as long.
  for (const name in members) if (members[name] !== undefined) defined[name] = members[name];
  return defined;
}
