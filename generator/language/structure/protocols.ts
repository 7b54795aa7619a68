/** The name of a protocol: `language.ts` of a folder of `generator/protocols` has it. */
export type Protocol = string;

/** The protocol of a spec without `wire`. */
export const defaultProtocol: Protocol = "signed-envelope";

/** Makes a thing once for each protocol. */
export function perProtocol<T extends object>(make: (protocol: Protocol) => T): (protocol: Protocol) => T {
  const made = new Map<Protocol, T>();
  return (protocol) => {
    const known = made.get(protocol) ?? make(protocol);
    made.set(protocol, known);
    return known;
  };
}

/** What the spec language asks of the interfaces of a protocol, beyond the schema. Keys are by definition of the schema. */
export interface ProtocolLanguage {
  /** Its name, as `wire.protocol` of a spec has it. */
  readonly protocol: Protocol;
  /** Whether an interface may leave out title and revision, a method its effect, payload and result. */
  readonly mayBeTerse: boolean;
  /** Whether the part of a method's name before the dot is a service; otherwise it is one where one is declared. */
  readonly namesServices: boolean;
  /** Whether callers prove who they are by members of the envelope. */
  readonly hasAuthMembers: boolean;
  /** Whether every result is an object, or one of several. */
  readonly resultsAreObjects: boolean;
  /** Whether types, enums and lists may be anything that JSON can be. */
  readonly takesEveryType: boolean;
  /** Whether several errors may have one number, and messages are sent as they stand. */
  readonly sharesErrorNumbers: boolean;
  /** Whether a fault that a spec says nothing of has a code all the same. */
  readonly hasDefaultFaults: boolean;
  /** Whether every event has a cause in the spec. */
  readonly eventsHaveCauses: boolean;
  /** Whether parameters have positions, and calls may go without an answer. */
  readonly hasPositions: boolean;
  /** Characters of the smallest value of a type: what a request holds by default, without changes of its limits. */
  readonly valueSizeMax: number;
  /** The most characters of a text and items of a list in a request, where there is a bound (docs/limits.md). */
  readonly requestMax?: { readonly text: number; readonly items: number };
  readonly required: Readonly<Record<string, readonly string[]>>;
  readonly foreign: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How a method may be called. */
  readonly methodName: {
    readonly pattern: string;
    /** The rule for names, as a diagnostic says it. */
    readonly rule: string;
  };
}
