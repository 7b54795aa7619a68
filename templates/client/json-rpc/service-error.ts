import { CallError, type CallFacts, type ErrorClass, failureClass, isOurs } from "../failures.ts";
import { errorName } from "./interface.ts";

/** The error of a call that the service refused or could not serve. */
export interface ServiceErrorFacts<Data = unknown> extends CallFacts {
  readonly data: Data;
}

/** The service answered with an error: `code` says which. The message is the service's. */
export interface ServiceError<Code extends number = number, Data = unknown> extends CallError {
  readonly name: typeof errorName;
  readonly code: Code;
  /** The `data` of the error; `undefined` where it has none. */
  readonly data: Data;
}
export const ServiceError: ErrorClass<ServiceError> = /* @__PURE__ */ failureClass<ServiceError>(errorName);

/** Whether a thrown value is the service's answer with one of these codes, or with any where none is given. */
export function isServiceError<Code extends number = number>(
  thrown: unknown,
  ...codes: readonly Code[]
): thrown is ServiceError<Code> {
  return (
    isOurs(thrown, errorName) && (codes.length === 0 || codes.some((code) => code === Object(thrown).code))
  );
}

/** The class of the errors of one name. Its instances are made by hand only where a service is played. */
export interface NamedErrorClass<Code extends number, Data> extends ErrorClass<ServiceError<Code, Data>> {
  new (data: Data, message?: string): ServiceError<Code, Data>;
  readonly code: Code;
}

/** `shared`: other names have the same code, so that the message tells them apart. */
export function namedError<const Code extends number, Data>(
  code: Code,
  text: string,
  shared?: "shared",
): NamedErrorClass<Code, Data> {
  return class extends CallError {
    static readonly code = code;
    declare readonly name: typeof errorName;
    declare readonly code: Code;
    declare readonly data: Data;

    constructor(data: Data, message = text) {
      super(errorName, message, { method: "", id: "", attempts: 0, code, data });
    }

    static override [Symbol.hasInstance](thrown: unknown): thrown is ServiceError<Code, Data> {
      return isServiceError(thrown, code) && (!shared || Object(thrown).message === text);
    }
  };
}
