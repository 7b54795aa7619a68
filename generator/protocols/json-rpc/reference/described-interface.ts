import { isJsonRpcFrame } from "../../../../conformance/base/frame.ts";
import { errorsOfMethod } from "../../../model/index.ts";
import type { JsonRpcFault, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { packageName } from "../../../targets/client/readme-parts.ts";
import { standardNames } from "../client/names.ts";
import { jsonRpcTransport, wireOf } from "../wire.ts";
import { securityText } from "./schemes.ts";

/** A standard interface as the page needs it that calls it, to be written as JSON. */
export function describedInterface(model: ServiceModel): object {
  const { title, path, schemes } = model;
  const wire = wireOf(model);
  return {
    title,
    path,
    ...(!isJsonRpcFrame(wire.frame) && { frame: wire.frame }),
    client: { factory: standardNames(model, wire).create, package: packageName(model) },
    members: { id: wire.frame.id, result: wire.frame.result, error: wire.frame.error },
    batchMax: wire.batch === false ? 0 : wire.batch.max,
    schemes: Object.fromEntries(schemes.map(({ name, kind, options }) => [name, { kind, ...options }])),
    methods: model.methods.map((method) => describedMethod(method, model)),
  };
}

function describedMethod(method: MethodModel, model: ServiceModel): object {
  const { name, doc, names, transport, security, examples } = method;
  return {
    name,
    doc: doc.trim(),
    type: names.type,
    notify: jsonRpcTransport(transport).notify,
    security: securityText(method),
    alternatives: security.map((uses) =>
      Object.fromEntries(uses.map(({ scheme, scopes }) => [scheme, scopes])),
    ),
    examples: examples
      .filter(({ payload }) => typeof payload === "object" && payload !== null)
      .map((example) => ({ name: example.name, payload: example.payload })),
    errors: errorsGiven(method, model),
  };
}

/** By code: when it is answered, and what the caller does about it. Several errors may share a code. */
function errorsGiven(method: MethodModel, model: ServiceModel): readonly (readonly [string, string])[] {
  const declared = errorsOfMethod(model, method).flatMap(({ code, condition }) => {
    const error = model.errors.find((each) => each.code === code);
    return error === undefined ? [] : [{ code: String(error.rpcCode), texts: [condition, error.action] }];
  });
  const faults = faultsOf(model).map(({ code, when }) => ({ code, texts: [when] }));
  const byCode = Map.groupBy([...faults, ...declared], ({ code }) => code);
  return [...byCode].map(([code, all]) => [
    code,
    all
      .map(({ texts }) => texts.filter((text) => text !== "").join(" "))
      .filter((text) => text !== "")
      .join(" Or: "),
  ]);
}

const conditions: Readonly<Record<JsonRpcFault, string>> = {
  parseError: "The body is no JSON.",
  invalidRequest: "The body is JSON, and no call.",
  methodNotFound: "There is no such method.",
  invalidParams: "The parameters do not fit the method.",
  internalError: "The service failed.",
  unauthenticated: "The caller proves no identity, and the method asks for one.",
  forbidden: "The caller may not do this.",
  rateLimited: "The caller calls too often.",
  unavailable: "The service cannot answer now.",
  tooLarge: "The request is larger than the service takes.",
};

/** The errors that the runtime of a standard interface answers by itself. */
export function faultsOf(model: ServiceModel) {
  const { faults } = wireOf(model);
  return Object.entries(conditions).flatMap(([fault, when]) => {
    const error = Object.entries(faults).find(([name]) => name === fault)?.[1];
    return error === undefined ? [] : { code: String(error.code), message: error.message, when };
  });
}
