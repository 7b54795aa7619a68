import { jsonRpcTransport, wireOf } from "../wire.ts";
import { framed } from "../../../../conformance/base/frame.ts";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import type { ExampleModel, MethodModel, ServiceModel, SchemeModel } from "../../../model/service-model.ts";
import type { InterfaceNames } from "../../../print/interface-names.ts";
import type { JsonSchema } from "../../../print/json-schema/json-schema.ts";
import { reference, type Dialect } from "../../../targets/openapi/dialect.ts";
import { operationHead } from "../../../targets/openapi/document.ts";
import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";

export interface OperationSources {
  readonly model: ServiceModel;
  readonly names: InterfaceNames;
  /** Names of the schemas of a method's call and of its answer. */
  bodies(method: MethodModel): { readonly request: string; readonly response: string };
}

/** One method as an operation. */
export function operation(method: MethodModel, sources: OperationSources) {
  const { model } = sources;
  const { examples } = method;
  return {
    ...operationHead(method),
    ...securityOf([method], model),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: reference(sources.bodies(method).request),
          examples: examplesOf(examples, (example) => requestExample(method, example, model)),
        },
      },
    },
    responses: responses([method], sources),
    "x-effect": method.effect,
  };
}

/** All methods as the one operation that they are on the wire. */
export function onePathOperation(sources: OperationSources) {
  const { model } = sources;
  const { methods } = model;
  const examples = methods.flatMap((method) =>
    method.examples.map(
      (example) =>
        [`${method.name}: ${example.name}`, { value: requestExample(method, example, model) }] as const,
    ),
  );
  return {
    operationId: "call",
    summary: "Call a method",
    ...securityOf(methods, model),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { oneOf: methods.map((method) => reference(sources.bodies(method).request)) },
          examples: examples.length === 0 ? undefined : Object.fromEntries(examples),
        },
      },
    },
    responses: responses(methods, sources),
  };
}

function responses(methods: readonly MethodModel[], { bodies, model }: OperationSources) {
  const {
    frame,
    http: { notified },
  } = wireOf(model);
  const answered = methods.filter((method) => notifyOf(method) !== "only");
  const schemas = answered.map((method) => reference(bodies(method).response));
  const examples = answered.flatMap((method) =>
    method.examples
      .filter(({ result }) => result !== undefined)
      .map(
        ({ name, result }) =>
          [
            methods.length === 1 ? name : `${method.name}: ${name}`,
            { value: framed(frame, { result, id: 1 }) },
          ] as const,
      ),
  );
  const isNotified = methods.some((method) => notifyOf(method) !== "never");
  return omitUndefined({
    "200": {
      description: "A result, or an error.",
      content: {
        "application/json": {
          schema: oneOrAny(schemas),
          examples: examples.length === 0 ? undefined : Object.fromEntries(examples),
        },
      },
    },
    [notified]: isNotified
      ? { description: `A call without \`${frame.id}\`, which is not answered.` }
      : undefined,
  });
}

function securityOf(methods: readonly MethodModel[], model: ServiceModel) {
  if (model.schemes.length === 0) return {};
  const alternatives = methods.flatMap(({ security }) =>
    security.length === 0
      ? [{}]
      : security.map((all) => Object.fromEntries(all.map(({ scheme, scopes }) => [scheme, scopes]))),
  );
  const different = new Map(alternatives.map((alternative) => [JSON.stringify(alternative), alternative]));
  const isOpen = methods.length === 1 && methods[0]?.security.length === 0;
  const parameters = headerParameters(methods, model.schemes);
  return {
    security: isOpen ? [] : [...different.values()],
    parameters: parameters.length === 0 ? undefined : parameters,
  };
}

/** A notification alone has no answer but of the transport. */
function oneOrAny(schemas: readonly JsonSchema[]): JsonSchema {
  const [first, second] = schemas;
  if (first === undefined) return {};
  return second === undefined ? first : { anyOf: schemas };
}

function requestExample(method: MethodModel, { payload }: ExampleModel, model: ServiceModel): object {
  const { params: style } = jsonRpcTransport(method.transport);
  const params = style === "by-position" ? positional(method, payload) : payload;
  const id = notifyOf(method) === "only" ? undefined : 1;
  return framed(wireOf(model).frame, { method: method.name, params, id });
}

/** Trailing parameters that are not given are left out. */
function positional({ payload }: MethodModel, given: unknown): readonly unknown[] {
  const values = new Map<string, unknown>(Object.entries(Object(given)));
  const fields = payload.kind === "single" ? payload.shape.fields : [];
  const count = fields.findLastIndex(({ name }) => values.has(name)) + 1;
  return fields.slice(0, count).map(({ name }) => values.get(name) ?? null);
}

function examplesOf(examples: readonly ExampleModel[], value: (example: ExampleModel) => unknown) {
  if (examples.length === 0) return undefined;
  return Object.fromEntries(examples.map((example) => [example.name, { value: value(example) }]));
}

export function notifyOf({ transport }: MethodModel): string {
  return jsonRpcTransport(transport).notify;
}

/** The authentication schemes as OpenAPI has them; what it has no word for is in `x-scheme`. */
export function securitySchemes(schemes: readonly SchemeModel[], dialect: Dialect) {
  return Object.fromEntries(
    schemes.map((scheme) => {
      const { name, kind, doc, options } = scheme;
      const described = schemeKindOf(kind)?.openApi(options, dialect.version);
      const description = doc === "" ? undefined : doc;
      return [name, { ...described, description, "x-scheme": { kind, ...options } }] as const;
    }),
  );
}

/** Headers beside those of `securitySchemes`. */
export function headerParameters(methods: readonly MethodModel[], schemes: readonly SchemeModel[]) {
  const used = new Set(methods.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  const more = schemes.flatMap(({ name, kind }) =>
    used.has(name) ? (schemeKindOf(kind)?.moreHeaders ?? []) : [],
  );
  return [...new Map(more.map((header) => [header.name, header])).values()].map((header) => ({
    ...header,
    in: "header",
    required: false,
    schema: { type: "string" },
  }));
}
