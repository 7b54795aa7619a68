import { shapeParts } from "../language/shape-parts.ts";
import { restOf } from "../model/shared-model.ts";
import type {
  EventModel,
  FormModel,
  MethodModel,
  ServiceModel,
  Shape,
  TypeModel,
} from "../model/service-model.ts";
import { keyOf } from "./memo.ts";
import { oncePer } from "../language/source/once-per.ts";

/** Keys of what is printed of single declarations: the same key, the same text. */
export interface DeclarationKeys {
  /** Of a method, with every type that it reaches. */
  ofMethod(method: MethodModel): string;
  /** Of a type, with every type that it reaches. */
  ofType(type: TypeModel): string;
  /** Of a form of a payload, with every type that it reaches. */
  ofForm(form: FormModel): string;
  /** Of an event, with every type that it reaches. */
  ofEvent(event: EventModel): string;
  /** Of all that is neither a type nor a method, and of the names of these. */
  readonly ofRest: string;
}

/**
 * Keys of a model's declarations. What is printed of one may depend on it, on the types that it reaches, on the names
 * of all types and methods, and on all that is neither a type nor a method.
 */
export const declarationKeys = oncePer(keysOf);

function keysOf(model: ServiceModel): DeclarationKeys {
  const types = new Map(model.types.map((type) => [type.name, type]));
  const rest = keyOf(restOf(model));
  const reach = (name: string, reached: Set<TypeModel>): void => {
    const type = types.get(name);
    if (type === undefined || reached.has(type)) return;
    reached.add(type);
    for (const next of typesNamedInType(type)) reach(next, reached);
  };
  const keyOfReach = (declaration: object, names: readonly string[]): string => {
    const reached = new Set<TypeModel>();
    for (const name of names) reach(name, reached);
    return [keyOf(declaration), ...[...reached].map(keyOf), rest].join(" ");
  };
  return {
    ofMethod: oncePer((method: MethodModel) => keyOfReach(method, typesNamedInMethod(method))),
    ofType: oncePer((type: TypeModel) => keyOfReach(type, typesNamedInType(type))),
    ofForm: oncePer((form: FormModel) => keyOfReach(form, typesNamedInForm(form))),
    ofEvent: oncePer((event: EventModel) => keyOfReach(event, typesNamedInEvent(event))),
    ofRest: rest,
  };
}

function shapesOf({ payload, result, resultType }: MethodModel): readonly Shape[] {
  const named = [payload.kind === "single" ? payload.type : undefined, resultType];
  return [
    ...(payload.kind === "forms" ? payload.forms.map(({ shape }) => shape) : [payload.shape]),
    result,
    ...named.flatMap((type): readonly Shape[] => (type === undefined ? [] : [{ kind: "ref", type }])),
  ];
}

const typesNamedInMethod = oncePer((method: MethodModel) => typesNamedIn(shapesOf(method)));
const typesNamedInForm = oncePer(({ shape }: FormModel) => typesNamedIn([shape]));
const typesNamedInEvent = oncePer(({ payload, members }: EventModel) =>
  typesNamedIn(members === undefined ? [payload] : [payload, members.shape]),
);
const typesNamedInType = oncePer((type: TypeModel) => typesNamedIn([type.shape]));

function typesNamedIn(shapes: readonly Shape[]): readonly string[] {
  const names = new Set<string>();
  const visit = (shape: Shape): void => {
    if (shape.kind === "ref") names.add(shape.type);
    for (const part of shapeParts(shape)) visit(part);
  };
  for (const shape of shapes) visit(shape);
  return [...names];
}
