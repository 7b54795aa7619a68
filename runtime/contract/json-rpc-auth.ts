/** Who calls, and what the credentials allow, as an authentication scheme found. */
export interface Identity<Caller = unknown> {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  /** Unix time in milliseconds from which the identity no longer holds; a WebSocket may outlive it. */
  readonly expiresAtMs?: number;
}

/**
 * `context.auth` of a method: the identities of the alternative that holds, by the name of the scheme. `Alternatives`
 * is a union of lists of names, `["user"] | ["machine", "signed"] | []`; `Callers` has their callers by name.
 */
export type AuthOf<Alternatives extends readonly string[], Callers> = Alternatives extends unknown
  ? {
      readonly [Name in Alternatives[number]]: Identity<Name extends keyof Callers ? Callers[Name] : unknown>;
    }
  : never;

/** The callers that an application declares as `callers` of its contexts, by the name of the scheme. */
export type CallersOf<C> = C extends { readonly callers: infer Callers } ? Callers : object;
