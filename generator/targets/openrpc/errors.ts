import type { ErrorModel, MethodModel, ServiceModel } from "../../model/service-model.ts";

/**
 * A code as an OpenRPC error: `code` is the JSON-RPC integer; the documented string or number, which is what
 * the wire's `error.code` carries (D-01), is in `data`.
 */
export function errorObject(
  error: Pick<
    ErrorModel,
    "code" | "message" | "condition" | "action" | "httpStatus" | "rpcCode" | "wireCode"
  >,
) {
  const { code, message, condition, action, httpStatus, rpcCode, wireCode } = error;
  return {
    code: rpcCode,
    message,
    data: { code: wireCode ?? code, httpStatus, condition: text(condition), action: text(action) },
  };
}

/** The errors of a method: those of every method, then its own, by reference unless it has its own words. */
export function methodErrors(method: MethodModel, model: ServiceModel) {
  const errorsByCode = new Map(model.errors.map((error) => [error.code, error]));
  const own = new Map(method.errors.map((error) => [error.code, error]));
  const shared = model.errors.filter((error) => error.everyMethod && !own.has(error.code));
  return [
    ...shared.map((error) => reference(error.code)),
    ...method.errors.map(({ code, message, condition }) => {
      const known = errorsByCode.get(code);
      if (known === undefined) throw new Error(`${method.name} has the error ${code}, which the model lacks`);
      const same = known.message === message && (condition === "" || known.condition === condition);
      return same ? reference(code) : errorObject({ ...known, message, condition });
    }),
  ];
}

function reference(code: string) {
  const token = code.replaceAll("~", "~0").replaceAll("/", "~1");
  return { $ref: `#/components/errors/${encodeURIComponent(token)}` };
}

function text(value: string): string | undefined {
  return value === "" ? undefined : value;
}
