import { CallError, type CallFacts, type ErrorClass, failureClass, isOurs } from "../failures.ts";
import { type ErrorCode, errorName } from "./interface.ts";

export {
  CallError,
  NetworkError,
  TimeoutError,
  UnreadableResponseError,
  type CallFacts,
  type ErrorClass,
} from "../failures.ts";

/** The class of the errors with one code. Its instances are made by hand only where a service is played. */
export interface CodeClass<Code extends string> extends ErrorClass<ServiceError<Code>> {
  new (message: string, facts?: Partial<ServiceErrorFacts>): ServiceError<Code>;
  readonly code: Code;
}

/** A code of this interface, or one that a newer service knows. */
export type AnyErrorCode = ErrorCode | (string & {});

/** The error of a call that the service refused or could not serve. */
export interface ServiceErrorFacts<Code extends string = AnyErrorCode> extends CallFacts {
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
export const ServiceError: ErrorClass<ServiceError> = /* @__PURE__ */ failureClass<ServiceError>(errorName);

/** Whether a thrown value is the service's answer with one of these codes, or with any where none is given. */
export function isServiceError<Code extends ErrorCode = ErrorCode>(
  thrown: unknown,
  ...codes: readonly Code[]
): thrown is ServiceError<[ErrorCode] extends [Code] ? AnyErrorCode : Code> {
  return (
    isOurs(thrown, errorName) && (codes.length === 0 || codes.some((code) => code === Object(thrown).code))
  );
}

export function codeClass<const Code extends ErrorCode>(code: Code): CodeClass<Code> {
  return class extends CallError {
    static readonly code = code;
    declare readonly name: typeof errorName;
    declare readonly code: Code;
    declare readonly field: string | undefined;
    declare readonly reason: string | undefined;
    declare readonly data: Readonly<Record<string, unknown>>;

    constructor(message: string, facts?: Partial<ServiceErrorFacts>) {
      super(errorName, message, { method: "", id: "", attempts: 0, data: {}, ...facts, code });
    }

    static override [Symbol.hasInstance](thrown: unknown): thrown is ServiceError<Code> {
      return isServiceError<ErrorCode>(thrown, code);
    }
  };
}
