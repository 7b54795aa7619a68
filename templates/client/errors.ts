import { type ErrorCode, errorMark, errorName } from "./interface.ts";

/** What is known of a failed call. */
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
}

/** A call that failed; `name` says how, and so does `instanceof` with the classes beside it. */
export class CallError extends Error {
  declare readonly method: string;
  declare readonly id: string;
  declare readonly attempts: number;
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;

  constructor(
    name: string,
    message: string | undefined,
    facts: CallFacts | (CallFacts & Readonly<Record<string, unknown>>),
    options?: ErrorOptions,
  ) {
    super(message, options);
    Object.assign(this, facts, { name });
  }

  /** Tells these errors from others of the same name, whatever copy of this package they come from. */
  get [errorMark](): true {
    return true;
  }
}

/**
 * What `instanceof` finds its errors by: what they say, not who made them. Those of another copy of this package are
 * found too, and a bundle holds only the classes that it names.
 */
export interface ErrorClass<Instance extends CallError> {
  [Symbol.hasInstance](thrown: unknown): thrown is Instance;
}

/** The class of the errors with one code. Its instances are made by hand only where a service is played. */
export interface CodeClass<Code extends string> extends ErrorClass<ServiceError<Code>> {
  new (message: string, facts?: Partial<RefusalFacts>): ServiceError<Code>;
  readonly code: Code;
}

/** No answer came: nothing listens, the line broke, or CORS hides the answer. The call may have taken effect. */
export interface NetworkError extends CallError {
  readonly name: "NetworkError";
}
export const NetworkError = /* @__PURE__ */ failureClass<NetworkError>("NetworkError");

/** The answer took longer than the call or its last attempt may take. The call may have taken effect. */
export interface TimeoutError extends CallError {
  readonly name: "TimeoutError";
}
export const TimeoutError = /* @__PURE__ */ failureClass<TimeoutError>("TimeoutError");

/** A response came that is no answer of the service: a proxy's page, say. The call may have taken effect. */
export interface UnreadableResponseError extends CallError {
  readonly name: "UnreadableResponseError";
  /** The body as it came. */
  readonly body: string;
}
export const UnreadableResponseError =
  /* @__PURE__ */ failureClass<UnreadableResponseError>("UnreadableResponseError");

/** A code of this interface, or one that a newer service knows. */
export type AnyErrorCode = ErrorCode | (string & {});

/** What the service says of a call that it refused or could not serve. */
export interface RefusalFacts<Code extends string = AnyErrorCode> extends CallFacts {
  readonly code: Code;
  /** JSON Pointer (RFC 6901) into the payload, where one field is at fault. */
  readonly field?: string | undefined;
  /** A machine word that narrows the code. */
  readonly reason?: string | undefined;
  /** The answer's `error.data`, as it came. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The service answered with an error: `code` says which. The message is the service's. */
export interface ServiceError<Code extends string = AnyErrorCode> extends CallError {
  readonly name: typeof errorName;
  readonly code: Code;
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}
export const ServiceError = /* @__PURE__ */ failureClass<ServiceError>(errorName);

/** Whether a thrown value is the service's answer with one of these codes, or with any where none is given. */
export function isServiceError<Code extends ErrorCode = ErrorCode>(
  thrown: unknown,
  ...codes: readonly Code[]
): thrown is ServiceError<[ErrorCode] extends [Code] ? AnyErrorCode : Code> {
  return (
    isOurs(thrown, errorName) && (codes.length === 0 || codes.some((code) => code === Object(thrown).code))
  );
}

function isOurs(thrown: unknown, name: string): boolean {
  return thrown instanceof Error && thrown.name === name && errorMark in thrown;
}

export function codeClass<const Code extends ErrorCode>(code: Code): CodeClass<Code> {
  return class extends CallError {
    static readonly code = code;
    declare readonly name: typeof errorName;
    declare readonly code: Code;
    declare readonly field: string | undefined;
    declare readonly reason: string | undefined;
    declare readonly data: Readonly<Record<string, unknown>>;

    constructor(message: string, facts?: Partial<RefusalFacts>) {
      super(errorName, message, { method: "", id: "", attempts: 0, data: {}, ...facts, code });
    }

    static override [Symbol.hasInstance](thrown: unknown): thrown is ServiceError<Code> {
      return isServiceError<ErrorCode>(thrown, code);
    }
  };
}

function failureClass<Instance extends CallError>(name: Instance["name"]): ErrorClass<Instance> {
  return class {
    static [Symbol.hasInstance](thrown: unknown): thrown is Instance {
      return isOurs(thrown, name);
    }
  };
}
