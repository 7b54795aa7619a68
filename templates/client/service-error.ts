import { CallError, type CallFacts, type ErrorClass, failureClass, isOurs } from "./failures.ts";
import { type AnyErrorCode, type ErrorCode, type ErrorData, errorName, noErrorData } from "./interface.ts";

/** The error of a call that the service refused or could not serve. */
export interface ServiceErrorFacts<Code = AnyErrorCode, Data = ErrorData> extends CallFacts {
  readonly code: Code;
  /** JSON Pointer (RFC 6901) into the payload, where one field is at fault. */
  readonly field?: string | undefined;
  /** A machine word that narrows the code. */
  readonly reason?: string | undefined;
  /** The `data` of the error, as it came. */
  readonly data: Data;
}

/** The service answered with an error: `code` says which. The message is the service's. */
export interface ServiceError<Code = AnyErrorCode, Data = ErrorData> extends CallError {
  readonly name: typeof errorName;
  readonly code: Code;
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly data: Data;
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

/** The class of the errors of one code. Its instances are made by hand only where a service is played. */
export interface CodeClass<Code, Data = ErrorData> extends ErrorClass<ServiceError<Code, Data>> {
  new (message: string, facts?: Partial<ServiceErrorFacts<Code, Data>>): ServiceError<Code, Data>;
  readonly code: Code;
}

/** `text`: the message that tells it apart, where several errors have the code. */
export function codeClass<const Code extends ErrorCode, Data = ErrorData>(
  code: Code,
  text?: string,
): CodeClass<Code, Data> {
  return class extends CallError {
    static readonly code = code;
    declare readonly name: typeof errorName;
    declare readonly code: Code;
    declare readonly field: string | undefined;
    declare readonly reason: string | undefined;
    declare readonly data: Data;

    constructor(message: string, facts?: Partial<ServiceErrorFacts<Code, Data>>) {
      super(errorName, message, { method: "", id: "", attempts: 0, data: noErrorData, ...facts, code });
    }

    static override [Symbol.hasInstance](thrown: unknown): thrown is ServiceError<Code, Data> {
      return (
        isServiceError<ErrorCode>(thrown, code) && (text === undefined || Object(thrown).message === text)
      );
    }
  };
}
