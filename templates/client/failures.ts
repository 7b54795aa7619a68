import { errorMark } from "./interface.ts";

/** The facts of a failed call. */
export interface CallFacts {
  /** Name of the method called. */
  readonly method: string;
  /** Identifier of the request. The same call repeated under it takes effect once. */
  readonly id: string;
  /** How often the request was sent. */
  readonly attempts: number;
  /** HTTP status of the last response, if one came. */
  readonly status?: number | undefined;
  /** Names the request in the service's log: say it when you ask for support. */
  readonly requestId?: string | undefined;
  /** When to try again, as the last response says it (`Retry-After`): seconds, or a date. */
  readonly retryAfter?: string | null | undefined;
}

/** Its only method tells these errors from others of the same name, whatever copy of this package they come from. */
const MarkedError: new (message?: string, options?: ErrorOptions) => Error = class extends Error {
  [errorMark](): void {}
};

/** A call that failed; `name` says how, and so does `instanceof` with the classes beside it. */
export class CallError extends MarkedError {
  declare readonly method: string;
  declare readonly id: string;
  declare readonly attempts: number;
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly retryAfter: string | null | undefined;

  constructor(
    name: string,
    message: string | undefined,
    facts: CallFacts | (CallFacts & Readonly<Record<string, unknown>>),
    options?: ErrorOptions,
  ) {
    super(message, options);
    Object.assign(this, facts, { name });
  }
}

/**
 * The mark by which `instanceof` finds its errors: their content, not their constructor. Those of another copy of this
 * package are found too, and a bundle holds only the classes that it names.
 */
export interface ErrorClass<Instance extends CallError> {
  [Symbol.hasInstance](thrown: unknown): thrown is Instance;
}

/** No answer came: nothing listens, the line broke, or CORS hides the answer. The call may have taken effect. */
export interface NetworkError extends CallError {
  readonly name: "NetworkError";
}
export const NetworkError: ErrorClass<NetworkError> = /* @__PURE__ */ failureClass("NetworkError");

/** The answer took longer than the call or its last attempt may take. The call may have taken effect. */
export interface TimeoutError extends CallError {
  readonly name: "TimeoutError";
}
export const TimeoutError: ErrorClass<TimeoutError> = /* @__PURE__ */ failureClass("TimeoutError");

/** A response came that is no answer of the service: a proxy's page, say. The call may have taken effect. */
export interface UnreadableResponseError extends CallError {
  readonly name: "UnreadableResponseError";
  /** The body as it came. */
  readonly body: string;
}
export const UnreadableResponseError: ErrorClass<UnreadableResponseError> =
  /* @__PURE__ */ failureClass("UnreadableResponseError");

/** Whether it is an error of this package, or of another copy of it, by its name. */
export function isOurs(thrown: unknown, name: string): boolean {
  return thrown instanceof Error && thrown.name === name && errorMark in thrown;
}

/** The class that `instanceof` finds failures of one name by. */
export function failureClass<Instance extends CallError>(name: Instance["name"]): ErrorClass<Instance> {
  return class {
    static [Symbol.hasInstance](thrown: unknown): thrown is Instance {
      return isOurs(thrown, name);
    }
  };
}
