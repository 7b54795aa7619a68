import type { ErrorModel, MethodModel, ServiceModel } from "../../model/service-model.ts";
import { draft7Schema } from "../../print/json-schema/draft7-schema.ts";
import { jsonSchemas, type JsonSchema, type JsonSchemas } from "../../print/json-schema/json-schema.ts";

/** The schemas that a document refers to. */
export function documentSchemas(model: ServiceModel): JsonSchemas {
  return jsonSchemas(model, { docs: true, formatPatterns: true, refPrefix: "#/components/schemas/" });
}

/** What a document has of the spec's types and errors; `more` are schemas beside those. */
export function componentsOf(
  model: ServiceModel,
  { definitions }: JsonSchemas,
  error: (error: ErrorModel) => object,
  more: readonly (readonly [string, object])[] = [],
) {
  const own = Object.values(definitions).map(({ name, schema }) => [name, draft7Schema(schema)] as const);
  return {
    schemas: Object.fromEntries([...own, ...more]),
    errors: Object.fromEntries(model.errors.map((each) => [each.code, error(each)])),
  };
}

/** Where a path of a service is: the host is the deployment's. */
export function serverAt(path: string, { name }: ServiceModel) {
  return {
    name,
    url: `http://localhost${path}`,
    description: `The path is \`${path}\`; the host is the deployment's.`,
  };
}

/** The group of a method. */
export function tagsOf({ service }: MethodModel, { services }: ServiceModel) {
  const group = services.find(({ name }) => name === service);
  return group && [{ name: group.name, description: group.doc === "" ? undefined : group.doc }];
}

/** The errors of a method: those of every method that is answered, then its own, by reference unless it has its own words. */
export function errorsOf(
  { name, errors, transport }: MethodModel,
  model: ServiceModel,
  errorObject: (error: ErrorModel) => object,
): readonly object[] {
  const byCode = new Map(model.errors.map((error) => [error.code, error]));
  const own = new Set(errors.map(({ code }) => code));
  const shared = model.errors.filter(({ everyMethod, code }) => everyMethod && !own.has(code));
  const text = (error: ErrorModel): string => JSON.stringify(errorObject(error));
  return [
    ...(transport.notify === "only" ? [] : shared.map(({ code }) => reference(code))),
    ...errors.map(({ code, message, condition }) => {
      const known = byCode.get(code);
      if (known === undefined) throw new Error(`${name} has the error ${code}, which the model lacks`);
      const worded = { ...known, message, condition: condition === "" ? known.condition : condition };
      return text(worded) === text(known) ? reference(code) : errorObject({ ...known, message, condition });
    }),
  ];
}

function reference(code: string) {
  const token = code.replaceAll("~", "~0").replaceAll("/", "~1");
  return { $ref: `#/components/errors/${encodeURIComponent(token)}` };
}

/** The first sentence of a text, on one line. */
export function firstSentence(doc: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(doc)?.[0].replace(/\s+/g, " ") ?? doc;
}

/** The schema of a payload or result; what its method says of itself is said once, by the method. */
export function withoutRemarks(schema: JsonSchema): JsonSchema {
  const {
    description: _description,
    deprecated: _deprecated,
    "x-section": _section,
    "x-decisions": _decisions,
    "x-since": _since,
    ...rest
  } = draft7Schema(schema);
  return rest;
}
