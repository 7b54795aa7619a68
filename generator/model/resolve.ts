import type {
  ErrorModel,
  FieldModel,
  FormModel,
  MethodErrorModel,
  MethodModel,
  ObjectTypeShape,
  PayloadModel,
  RefShape,
  RequestIdModel,
  ServiceModel,
  Shape,
  TypeModel,
} from "./service-model.ts";
import type { SampleReading } from "../../conformance/samples/index.ts";
import { oncePer } from "../language/source/once-per.ts";
import { flatMethods, isFlat } from "../../conformance/suite/methods.ts";
import { idParts, type Located } from "../language/index.ts";

/** The type that a reference names. Throws if the model has none: then the model is wrong. */
export function typeOf(model: ServiceModel, ref: RefShape): TypeModel {
  const type = typesByName(model).get(ref.type);
  if (type === undefined) throw new Error(`the model of ${model.name} has no type ${ref.type}`);
  return type;
}

/** The forms of a payload; one that has a single form gives it without a name. */
export function formsOf(payload: PayloadModel): readonly (Pick<FormModel, "shape"> & Partial<FormModel>)[] {
  return payload.kind === "single" ? [{ shape: payload.shape }] : payload.forms;
}

/** Whether a method is only called without an id: it is never answered. */
export function isNotification({ transport }: Pick<MethodModel, "transport">): boolean {
  return transport.notify === "only";
}

/** The objects that a payload may be: one for each form. */
export function payloadShapes(payload: PayloadModel): readonly ObjectTypeShape[] {
  return formsOf(payload).map(({ shape }) => shape);
}

/** The shape at the end of a chain of references. */
export function resolve(model: ServiceModel, shape: Shape): Exclude<Shape, RefShape> {
  let at = shape;
  while (at.kind === "ref") at = typeOf(model, at).shape;
  return at;
}

/** The number of a list's first page: as the list says, or the least that the page's field takes, or 1. */
export function firstPageOf(method: MethodModel, model: ServiceModel): number {
  const { paging } = method;
  const found = payloadField(method, paging?.page, model);
  return paging?.first ?? (found?.kind === "integer" ? (found.minimum ?? 1) : 1);
}

/** Whether a number that pages a list is sent as text: `"2"`. */
export function isSentAsText(method: MethodModel, name: string, model: ServiceModel): boolean {
  return payloadField(method, name, model)?.kind === "string";
}

function payloadField({ payload }: MethodModel, name: string | undefined, model: ServiceModel) {
  const fields = payloadShapes(payload).flatMap((shape) => shape.fields);
  const shape = fields.find((field) => field.name === name)?.shape;
  return shape === undefined ? undefined : resolve(model, shape);
}

/** Whether null is a value of its own. */
export function takesNull(shape: Shape, model: ServiceModel): boolean {
  const resolved = resolve(model, shape);
  if (resolved.kind === "union") return resolved.alternatives.some((each) => takesNull(each, model));
  return resolved.kind === "null" || resolved.kind === "nullable" || resolved.kind === "json";
}

/** Every code that a method can answer with: its own first, then those of every method, with their texts. */
export function errorsOfMethod(
  model: ServiceModel,
  method: MethodModel,
): readonly (MethodErrorModel & { readonly declared: ErrorModel })[] {
  const own = new Map(method.errors.map((error) => [error.code, error]));
  return model.errors
    .filter((error) => error.everyMethod || own.has(error.code))
    .map((declared) => {
      const { message, condition } = own.get(declared.code) ?? declared;
      return { code: declared.code, message, condition, declared };
    });
}

/** The fields of a method's result; none where it is not one object. */
export function resultFields({ result }: MethodModel): readonly FieldModel[] {
  return result.kind === "object" ? result.fields : [];
}

const typesByName = oncePer(
  (model: ServiceModel): ReadonlyMap<string, TypeModel> =>
    new Map(model.types.map((type) => [type.name, type])),
);

/** Whether an object of the interface has groups of fields. */
export function isGrouped({ types, methods }: ServiceModel): boolean {
  const shapes = [
    ...types.map(({ shape }) => shape),
    ...methods.flatMap(({ payload, result }) => [...payloadShapes(payload), result]),
  ];
  return shapes.some(
    (shape) => shape.kind === "object" && shape.atLeastOneOf.length + shape.exactlyOneOf.length > 0,
  );
}

/**
 * How values of a model's types are read and made: as in answers and events, unless a direction is given. `given` has
 * values for fields.
 */
export function readingOf(
  model: ServiceModel,
  direction: SampleReading["direction"] = "response",
  given?: (field: FieldModel) => unknown,
): SampleReading {
  const reading = { direction, resolve: (shape: Shape) => resolve(model, shape) };
  return given === undefined ? reading : { ...reading, given };
}

/** The path that a method is at. */
export function methodPath({ path }: MethodModel, model: Pick<ServiceModel, "path">): string {
  return path ?? model.path;
}

/** All methods, those with flat bodies in the order of `flatMethods`: services and fakes look at them in this order. */
export function methodsAsTried({ methods }: Pick<ServiceModel, "methods">): readonly MethodModel[] {
  const flat = flatMethods(methods).values();
  return methods.map((method) => (isFlat(method) ? (flat.next().value ?? method) : method));
}

/** A pattern of ids with its parts. */
export function requestIdModel(requestId: Located<string> | undefined): RequestIdModel | undefined {
  return requestId && { pattern: requestId.value, parts: idParts(requestId.value) ?? [] };
}

/** The rule for ids of a method's requests; undefined where any text of 1 to 128 characters is one. */
export function requestIdOf(
  { wire }: Pick<ServiceModel, "wire">,
  method?: Pick<MethodModel, "transport">,
): RequestIdModel | undefined {
  const own = method?.transport.kind === "enveloped" ? method.transport.requestId : undefined;
  return own ?? wire.requestId;
}

/** An id that requests of a method may have, always the same one: `usual` where any text may be one. */
export function exampleId(
  model: Pick<ServiceModel, "wire">,
  usual: string,
  method?: Pick<MethodModel, "transport">,
): string {
  const ids = requestIdOf(model, method);
  if (ids === undefined) return usual;
  return ids.parts
    .map(({ characters, most }) =>
      Array.from({ length: most }, (_, at) => characters[(at + 1) % characters.length]).join(""),
    )
    .join("");
}
