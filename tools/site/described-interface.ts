import { standardNames } from "../../generator/protocols/json-rpc/client/names.ts";
import { packageName } from "../../generator/targets/client/readme-parts.ts";
import { faultsOf } from "../../generator/targets/reference/pages/errors.ts";
import { securityText } from "../../generator/targets/reference/pages/schemes.ts";
import { errorsOfMethod } from "../../generator/model/index.ts";
import type { MethodModel, ServiceModel } from "../../generator/model/service-model.ts";

/** A standard interface as the page needs it that calls it, to be written as JSON; undefined for the signed envelope. */
export function describedInterface(model: ServiceModel): object | undefined {
  const { wire, title, path, schemes } = model;
  if (wire.protocol !== "json-rpc-2.0") return undefined;
  return {
    title,
    path,
    client: { factory: standardNames(model, wire).create, package: packageName(model) },
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
    notify: transport.kind === "json-rpc" ? transport.notify : "never",
    security: securityText(method, model) ?? "",
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
  const faults = (faultsOf(model) ?? []).map(({ code, when }) => ({ code, texts: [when] }));
  const byCode = Map.groupBy([...faults, ...declared], ({ code }) => code);
  return [...byCode].map(([code, all]) => [
    code,
    all
      .map(({ texts }) => texts.filter((text) => text !== "").join(" "))
      .filter((text) => text !== "")
      .join(" Or: "),
  ]);
}
