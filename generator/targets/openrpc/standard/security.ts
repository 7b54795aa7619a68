import { omitUndefined } from "../../../../conformance/omit-undefined.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";

/** OpenRPC has no authentication: the schemes are `x-security` of the document. */
export function securityOf({ schemes }: ServiceModel) {
  if (schemes.length === 0) return {};
  const entries = schemes.map(({ name, kind, options, doc }) => {
    return [
      name,
      { kind, ...options, ...omitUndefined({ description: doc === "" ? undefined : doc }) },
    ] as const;
  });
  return { "x-security": Object.fromEntries(entries) };
}

/** The security of a method: one of the alternatives, each a map of schemes to scopes. */
export function securityOfMethod({ security }: MethodModel, { schemes }: ServiceModel) {
  if (schemes.length === 0) return {};
  return {
    "x-security": security.map((alternative) =>
      Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme, scopes])),
    ),
  };
}
