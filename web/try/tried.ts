import type { Child } from "../shared/dom.ts";
import { type JsonObject, isObject } from "../shared/json.ts";
import type { SchemaDocument } from "../shared/schema.ts";
import { type Validate, loadValidator } from "../shared/validator.ts";

/** One operation as the page offers it. */
export interface TriedOperation {
  readonly name: string;
  readonly doc: string;
  /** Names in the JSON Schema: `GetAccountPayload`. */
  readonly type: string;
  /** Payloads of the spec's examples, by their names. */
  readonly examples: readonly { readonly name: string; readonly payload: JsonObject }[];
  /** The codes that it can answer with, and their meanings where the message does not say them. */
  readonly errors: ReadonlyMap<string, string>;
  /** Whether a call may be a notification, which is never answered. */
  readonly notify: "never" | "allowed" | "only";
  /** The permitted callers, in words; empty if the page says it elsewhere. */
  readonly security: string;
}

/** An interface as the page was given it. */
export interface TriedInterface {
  readonly title: string;
  readonly schema: SchemaDocument;
  readonly operations: readonly TriedOperation[];
  /** Whether each call is signed with a key of the caller. */
  readonly isSigned: boolean;
  /** The most calls in one request; 0 where each has its own. */
  readonly batchMax: number;
  validator(operation: TriedOperation, of: "payload" | "result"): Promise<Validate>;
  /** The form that asks who calls; undefined where that does not matter. */
  signIn(ready: (caller: Caller) => void): Child;
}

/** One who calls. */
export interface Caller {
  /** Shown for as long as the credentials are kept. */
  readonly name: string;
  /** The label of the button that forgets them. */
  readonly forget: string;
  /** Removes what is kept of the caller; absent where nothing is. */
  forgotten?(): Promise<void>;
  /** Sends calls as one request, or makes it alone; never rejects. */
  call(calls: readonly TriedCall[], options: { readonly isSent: boolean }): Promise<Attempt>;
}

export interface TriedCall {
  readonly operation: TriedOperation;
  readonly payload: JsonObject;
  readonly isNotification: boolean;
}

/** A request, and its answer. */
export interface Attempt {
  /** The answer; undefined where none came. */
  readonly answered: Answered | undefined;
  /** Why there is no request, or no answer. */
  readonly failure: string;
  /** The answers to the calls that are no notifications, from the JSON of the body. */
  outcomes(value: unknown): readonly Outcome[];
  /** The request, in several ways, by their titles; none where none was made. */
  readonly texts: readonly (readonly [string, string])[];
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
  /** By how much the clock of the browser is ahead of the service's, in seconds; NaN where the service does not say its time. */
  readonly aheadSeconds: number;
}

/** The answer to one call: an error, a result, or why it is invalid. */
export interface Outcome {
  readonly operation: TriedOperation;
  readonly error?: JsonObject;
  readonly result?: unknown;
  readonly problem?: string;
}

/** A standard interface as `try.json` describes it: the parts of its model that calling needs. */
export interface Described {
  readonly title: string;
  readonly path: string;
  readonly client: { readonly factory: string; readonly package: string };
  /** The most calls in one request; 0 where it has no batches. */
  readonly batchMax: number;
  readonly members: AnswerMembers;
  readonly schemes: Readonly<Record<string, DescribedScheme>>;
  readonly methods: readonly DescribedMethod[];
}

/** The names of the members of an answer. */
export interface AnswerMembers {
  readonly id: string;
  readonly result: string;
  readonly error: string;
}

/** An authentication scheme: its kind, and the options that the spec gives it. */
export type DescribedScheme = JsonObject & { readonly kind: string };

interface DescribedMethod extends Omit<TriedOperation, "errors"> {
  readonly errors: readonly (readonly [string, string])[];
  /** Alternatives, of which one holds: schemes with the scopes that they have to grant. */
  readonly alternatives: readonly Readonly<Record<string, readonly string[]>>[];
}

/**
 * An answer as the outcome of a call. An answer with both a result and an error is invalid (JSON-RPC 2.0, section 5);
 * absent and `null` are the same there. In a flat operation, the body is the result.
 */
export function outcomeOf(
  operation: TriedOperation,
  answer: unknown,
  { result: resultName, error: errorName }: Pick<AnswerMembers, "result" | "error">,
  flat = false,
): Outcome {
  const nothing = { operation, problem: `The answer has nothing for ${operation.name}.` };
  if (!isObject(answer)) return flat ? { operation, result: answer } : nothing;
  const [result, error = null] = [answer[resultName], answer[errorName]];
  if (!flat && error !== null && (result ?? null) !== null)
    return {
      operation,
      problem: `The answer has both a result and an error for ${operation.name}, so it is none.`,
    };
  if (isObject(error)) return { operation, error };
  if (flat) return { operation, result: answer };
  return result === undefined ? nothing : { operation, result };
}

/** Where the files of the interface are that the page's address names: `/docs/try/<name>/`. */
export interface Place {
  readonly name: string;
  readonly folder: URL;
}

/** A module that calls the interfaces of one protocol. */
export interface CallsModule {
  load(place: Place): Promise<TriedInterface>;
}

export function placeOf(address: Location): Place {
  const parts = address.pathname.split("/").filter((part) => part !== "" && part !== "index.html");
  const name = decodeURIComponent(parts.at(-1) ?? "");
  return { name, folder: new URL(`../../generated/${encodeURIComponent(name)}/`, import.meta.url) };
}

/** How modules end here: a checkout serves its own sources, without their types. */
export const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** The functions that a module exports. */
export function functionsIn(module: unknown): readonly unknown[] {
  return typeof module === "object" && module !== null
    ? Object.values(module).filter((value) => typeof value === "function")
    : [];
}

/** Loads the generated validators of payloads and results below the folder of an interface. */
export function validatorsIn(folder: URL): TriedInterface["validator"] {
  return ({ type }, of) => {
    const validator = `validate${type}${of === "payload" ? "Payload" : "Result"}`;
    return loadValidator(new URL(`validators/${of}s.js`, folder), validator);
  };
}
