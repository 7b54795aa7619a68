/** A method as data: how its call is written. */
export interface Method {
  /** Its name on the wire. */
  readonly name: string;
  /** `read` and `set` may be repeated; `create` only where the service knows the call again. */
  readonly effect: "read" | "set" | "create";
  readonly params: "by-name" | "by-position" | "either";
  /** The names of the parameters, in the order of their positions. */
  readonly parameters: readonly string[];
  /** Parameters at which `null` is a value, so that it cannot stand for one that is left out. */
  readonly nullable?: readonly string[] | undefined;
  /** Alternatives, of which one is used: the schemes that have to hold together. None: the method is open. */
  readonly security?: readonly (readonly string[])[] | undefined;
  /** Names of fields whose values hooks do not see. */
  readonly sensitive?: readonly string[] | undefined;
  /** Where a result has integers that are to be read as a `bigint`. */
  readonly bigints?: Bigints | undefined;
}

/** Where integers are a `bigint`: here, in members by name, in all others. Functions, for types may be recursive. */
export interface Bigints {
  readonly number?: "bigint";
  readonly members?: Readonly<Record<string, () => Bigints>>;
  readonly items?: () => Bigints;
  /** The member whose value names the case that the value is. */
  readonly tag?: string;
  readonly cases?: Readonly<Record<string, () => Bigints>>;
}
