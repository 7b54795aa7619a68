import type { ErrorModel, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { carriedOf, listOf, memberOf } from "./carried.ts";

/** An error as OpenRPC has it, without keys of one's own: there OpenRPC allows none. */
export function standardError({ rpcCode, message, extensions }: ErrorModel) {
  return { code: rpcCode, message, data: extensions?.["x-data"] };
}

/**
 * The errors of a method: those of every method that is answered, then its own, then those that the document gave it by
 * reserved codes.
 */
export function errorsOf(method: MethodModel, model: ServiceModel) {
  const { transport } = method;
  const isAnswered = transport.kind !== "json-rpc" || transport.notify !== "only";
  const own = new Set(method.errors.map(({ code }) => code));
  const shared = model.errors.filter((error) => isAnswered && error.everyMethod && !own.has(error.code));
  const byName = new Map(model.errors.map((error) => [error.code, error]));
  const errors = [
    ...shared.map(({ code }) => reference(code)),
    ...method.errors.map(({ code, message }) => {
      const known = byName.get(code);
      if (known === undefined) throw new Error(`${method.name} has the error ${code}, which the model lacks`);
      return known.message === message ? reference(code) : standardError({ ...known, message });
    }),
    ...listOf(memberOf(carriedOf(method), "errors")),
  ];
  return errors.length === 0 ? undefined : errors;
}

function reference(code: string) {
  const token = code.replaceAll("~", "~0").replaceAll("/", "~1");
  return { $ref: `#/components/errors/${encodeURIComponent(token)}` };
}
