import type { ServiceModel } from "../../model/service-model.ts";

/** `params.api` with all its members; which of them are required differs by method. */
export function authSchema(model: ServiceModel) {
  return {
    description: "What every enveloped call proves itself with.",
    type: "object",
    properties: Object.fromEntries(
      model.auth.map((member) => [
        member.name,
        { description: member.doc, type: "string", minLength: 1, "x-missing": member.missing },
      ]),
    ),
  };
}

/** `params.api` of one method. */
export function methodAuthSchema(required: readonly string[], auth: string) {
  return { allOf: [{ $ref: `#/components/schemas/${auth}` }, { required }] };
}
