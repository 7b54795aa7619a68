import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import type { ComponentNames } from "./component-names.ts";
import { reference } from "./dialect.ts";

/** A method as an OpenAPI operation. */
export function operationObject(method: MethodModel, model: ServiceModel, names: ComponentNames) {
  const isFlat = method.transport.kind === "flat";
  const { request, response } = names.of(method);
  const body = isFlat ? names.types.of(method).payload : request;
  return {
    operationId: method.names.value,
    tags: method.service === undefined ? undefined : [method.service],
    summary: method.name,
    description: method.doc,
    deprecated: method.deprecated === undefined ? undefined : true,
    parameters: [{ $ref: "#/components/parameters/InterfaceRevision" }],
    security: isFlat ? [Object.fromEntries(requiredHeaders(model).map((name) => [name, []]))] : undefined,
    requestBody: { required: true, content: content(body) },
    responses: { "200": { description: "A result, or an error.", content: content(response) } },
    "x-section": method.section,
    "x-decisions": method.decisions.length === 0 ? undefined : method.decisions,
    "x-effect": method.effect,
    "x-emits": method.emits.length === 0 ? undefined : method.emits,
  };
}

/** The headers that carry the credential and the signature: those whose values have parts of them. */
function requiredHeaders(model: ServiceModel): readonly string[] {
  return model.authHeaders
    .filter(({ name }) => name === "Authorization" || name === "Signature")
    .map(({ name }) => name);
}

function content(name: string) {
  return { "application/json": { schema: reference(name) } };
}
