/** The parties of an interface: those who call it, those who write its handlers, and those who receive its events. */
export const parties = ["callers", "implementers", "receivers"] as const;
export type Party = (typeof parties)[number];

/**
 * The effect of a change on a party. `breaking`: what was right before is refused, misread, no longer compiles or no
 * longer does what the interface says. `warning`: it may surprise those who relied on more than was promised. `info`:
 * nothing has to be done.
 */
export const severities = ["info", "warning", "breaking"] as const;
export type Severity = (typeof severities)[number];

/** Which part of a version number moves. */
export const bumps = ["patch", "minor", "major"] as const;
export type Bump = (typeof bumps)[number];

/** Where a value travels: to the service, back from it, or in a notification. */
export const directions = ["request", "response", "event"] as const;
export type Direction = (typeof directions)[number];

export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(threshold);
}

export function worst(found: readonly Severity[]): Severity {
  return severities.findLast((severity) => found.includes(severity)) ?? "info";
}

export function biggest(found: readonly Bump[]): Bump | undefined {
  return bumps.findLast((bump) => found.includes(bump));
}

/** The parts of a change's texts; empty where they do not apply. */
export interface Facts {
  /** The thing that changed: `branch`, `BookService.LendBook`. */
  readonly name: string;
  /** Its owner, as a phrase: "the payload of `BookService.LendBook`". */
  readonly of: string;
  /** The former value, as written: `34`, `string`. */
  readonly from: string;
  /** The present value. */
  readonly to: string;
}

export type Sentence = (facts: Facts) => string;

/** The effect of a change on one party. */
export interface Effect {
  readonly severity: Severity;
  readonly consequence: Sentence;
}

/** One kind of change. */
export interface Rule {
  readonly area: Area;
  /** The change in a sentence. */
  readonly summary: Sentence;
  /** A party that is not named does not notice. */
  readonly effects: { readonly [P in Party]?: Effect };
  /** The part of the client package's version that such a change raises. */
  readonly bump: Bump;
  /** Why it breaks whom. */
  readonly why: string;
  readonly todo: string;
  /** YAML before and after: definitions that replace those of the same name. */
  readonly before: string;
  readonly after: string;
  /** The rules that the opposite change may raise. */
  readonly inverse: readonly string[];
  /** The rule about the other direction, or why it does not exist. */
  readonly mirror: Mirror;
}

export type Mirror = { readonly rule: string } | { readonly waiver: string };

export type Area =
  | "interface"
  | "authentication"
  | "operations"
  | "fields"
  | "values"
  | "types"
  | "errors"
  | "events"
  | "states"
  | "rules"
  | "texts";

/** Texts about the other direction. */
export const waivers = {
  whole: { waiver: "It concerns a call as a whole, not a value that travels one way." },
  text: { waiver: "It is about the text, which is the same for both directions." },
  errorCodes: { waiver: "It concerns a declaration that no direction owns." },
  answerOnly: {
    waiver: "Only answers have it: requests carry no error, event or envelope member of this kind.",
  },
  requestOnly: { waiver: "Only requests have it: answers take one form under one name." },
} as const;
