import type { Bump, Direction, Party, Severity } from "./severity.ts";

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
  readonly mirror: { readonly rule: string } | { readonly waiver: string };
}

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

/** A kind of change that is one rule for each direction: `request-…`, `response-…`, `event-…`. */
export interface Family {
  readonly area: "fields" | "values";
  readonly directions?: readonly Direction[];
  readonly summary: Sentence;
  readonly severity:
    | {
        readonly sender: Severity;
        readonly reader: Severity;
        /** For handlers that read it, where it is another one than for those outside. */
        readonly handlersRead?: Severity;
      }
    | { readonly outside: Severity; readonly handlers: Severity };
  /** Effect on callers who send it. */
  readonly callersSend: Sentence;
  /** The effect on handlers that read it. */
  readonly handlersRead: Sentence;
  /** Effect on handlers that return it, or whose changes are published with it. */
  readonly handlersSend: Sentence;
  /** The effect on callers or receivers who read it; begins in lower case after "Callers " or "Receivers ". */
  readonly othersRead: Sentence;
  /** Whether it offers callers something new. */
  readonly additive?: true;
  readonly why: string;
  readonly todo: string;
  /** The field, or the enum values, before and after: lines of YAML. */
  readonly before: string;
  readonly after: string;
  readonly inverse: readonly string[];
}

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
