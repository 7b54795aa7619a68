import type { ErrorModel, JsonRpcWireModel, ServiceModel } from "./service-model.ts";

/** An error by the name that handlers throw. */
export interface NamedError {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly httpStatus: number;
  /** Absent for what the runtime itself answers. */
  readonly declared?: ErrorModel;
}

/** The faults that handlers detect too: what the types of the parameters cannot say, and who may do what. */
const thrownByHandlers = ["invalidParams", "forbidden", "rateLimited", "unavailable"] as const;

/** Every error that a handler of a standard interface may throw: those that the spec declares, then faults. */
export function namedErrors({ errors }: ServiceModel, { faults }: JsonRpcWireModel): readonly NamedError[] {
  const declared = errors.map((error) => ({
    name: error.code,
    code: error.rpcCode,
    message: error.message,
    httpStatus: error.httpStatus,
    declared: error,
  }));
  const names = new Set(errors.map(({ code }) => code));
  return [
    ...declared,
    ...thrownByHandlers.map((fault) => faults[fault]).filter(({ name }) => !names.has(name)),
  ];
}

/** The names of the errors that every method of a standard interface can give. */
export function everyMethodNames(model: ServiceModel, wire: JsonRpcWireModel): readonly string[] {
  const faults = new Set(thrownByHandlers.map((fault) => wire.faults[fault].name));
  return namedErrors(model, wire)
    .filter(({ name, declared }) => declared?.everyMethod === true || faults.has(name))
    .map(({ name }) => name);
}
