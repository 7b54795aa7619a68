import { protocolOf } from "../../protocols/index.ts";
import type {
  EnumShape,
  ErrorModel,
  EventModel,
  FormModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
  TypeModel,
} from "../../model/service-model.ts";
import { resolve } from "../../model/index.ts";
import { docComment, type Remarks } from "../../print/doc-comment.ts";
import { claim, interfaceNames, type InterfaceNames } from "../../print/interface-names.ts";
import { deeper, paragraphs, separated, type Printable } from "../../print/layout.ts";
import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { groupTypes, presenceTypes } from "../../print/presence-type.ts";
import { objectDoc } from "../../print/presence.ts";
import {
  objectType,
  typeDeclaration,
  typeNames,
  unionDeclaration,
  type TypeNames,
  type TypeStyle,
} from "../../print/type-expression.ts";

/** How a module of types is printed. */
export interface TypesModuleStyle extends TypeStyle {
  /** Whether answers and events may hold values of open enums that are not listed: those of a newer service. */
  readonly openEnums?: boolean;
  /** Whether parameters have their defaults: handlers find them there. */
  readonly defaultsFilled?: boolean;
  /**
   * Which types state the groups of fields, so that the compiler finds values that break them. Callers make payloads.
   * Handlers make everything else, and get payloads that are checked.
   */
  readonly presence?: "payloads" | "groups";
}

/** How what is sent is printed, and how what is answered. */
interface Styles {
  readonly request: Style;
  readonly response: Style;
}

interface Style {
  readonly types: TypeNames;
  /** Names that are taken. */
  readonly declared: readonly string[];
  readonly style: TypesModuleStyle;
}

/** The text of a module with all types of the interface. */
export function typesModule(model: ServiceModel, path: string, style: TypesModuleStyle): string {
  const names = interfaceNames(model);
  const declared = declaredNames(model, names);
  const open = openName(model);
  const types = typeNames(model);
  const styles: Styles = {
    request: { types, declared, style: { ...style, doubledSpellings: false } },
    response: { types: style.openEnums === true ? openTypeNames(model) : types, declared, style },
  };
  return printModule({
    path,
    preamble: preamble(model),
    declares: [...declared, open],
    body: [
      ...(style.openEnums === true && openEnums(model).length > 0 ? [openType(open, model)] : []),
      ...model.types.map((type) => namedType(type, styles)),
      ...model.methods.flatMap((method) => methodTypes(method, names, styles)),
      ...model.errors.flatMap((error) =>
        error.data === undefined ? [] : [errorData(error, error.data, names, styles)],
      ),
      ...notifications(model).map((event) => notificationParams(event, names, styles)),
    ],
  });
}

function namedType(type: TypeModel, { request, response }: Styles): Printable {
  const isAnswered = type.usedIn.some((use) => use !== "request") && type.shape.kind !== "enum";
  const used = isAnswered ? response : request;
  return objectOrOther(type.names.type, type, type.shape, used);
}

/** The declaration of a type: with its groups, where handlers make its values. */
function objectOrOther(name: string, remarks: Remarks, shape: Shape, used: Style): Printable {
  const { types, style } = used;
  const isGrouped = style.presence === "groups" && shape.kind === "object";
  const groups = isGrouped ? groupTypes(shape, types, style) : [];
  return groups.length > 0 && shape.kind === "object"
    ? paragraphs(narrowed({ name, remarks, shape, absent: [] }, groups, used))
    : typeDeclaration(name, remarks, shape, types, style);
}

function openType(open: string, model: ServiceModel): Printable {
  const doc =
    "A value of an answer: one of those that the interface lists, or one that a newer service knows. A `switch` over it needs a `default`.";
  const hasNumbers = openEnums(model).some(({ values }) =>
    values.some(({ value }) => typeof value === "number"),
  );
  const [values, others] = hasNumbers
    ? ["string | number", "(T extends string ? string & {} : number & {})"]
    : ["string", "(string & {})"];
  return [docComment({ doc }), `export type ${open}<T extends ${values}> = T | ${others};`];
}

function openEnums({ types }: ServiceModel): readonly EnumShape[] {
  return types.flatMap(({ shape }) => (shape.kind === "enum" && shape.open === true ? [shape] : []));
}

/** The names under which answers use types: open enums take other values too. */
export function openTypeNames(model: ServiceModel, prefix = ""): TypeNames {
  const enums = new Set(
    model.types.filter(({ shape }) => isOpen(resolve(model, shape))).map(({ name }) => name),
  );
  const open = prefix + openName(model);
  return new Map(
    [...typeNames(model)].map(([name, type]) => [
      name,
      enums.has(name) ? `${open}<${prefix}${type}>` : prefix + type,
    ]),
  );
}

function isOpen(shape: Shape): boolean {
  return shape.kind === "enum" && shape.open === true;
}

function openName(model: ServiceModel): string {
  return claim("Open", new Set(declaredNames(model, interfaceNames(model))));
}

function declaredNames(model: ServiceModel, names: InterfaceNames): readonly string[] {
  return [
    ...model.types.map((type) => type.names.type),
    ...model.methods.flatMap((method) => {
      const own = names.of(method);
      const forms = method.payload.kind === "forms" ? method.payload.forms : [];
      return [own.payload, own.result, ...forms.map((form) => own.form(form))];
    }),
    ...model.errors.flatMap((error) => (error.data === undefined ? [] : [names.ofErrorData(error)])),
    ...notifications(model).map((event) => names.ofEvent(event)),
  ];
}

function methodTypes(method: MethodModel, names: InterfaceNames, { request, response }: Styles): Printable[] {
  const own = names.of(method);
  const { section, decisions, deprecated } = method;
  const result = { doc: `What \`${method.name}\` answers.`, section, decisions, deprecated };
  return [
    ...payloadTypes(method, names, request),
    objectOrOther(own.result, result, namedOr(method.result, method.resultType), response),
  ];
}

function errorData(error: ErrorModel, data: Shape, names: InterfaceNames, { response }: Styles): Printable {
  const { section, decisions, deprecated } = error;
  const remarks = { doc: `What the error \`${error.code}\` carries.`, section, decisions, deprecated };
  return typeDeclaration(names.ofErrorData(error), remarks, data, response.types, response.style);
}

/** The events that the service sends as they are. */
function notifications(model: ServiceModel): readonly EventModel[] {
  return protocolOf(model).typesEvents ? model.events : [];
}

function notificationParams(event: EventModel, names: InterfaceNames, { response }: Styles): Printable {
  const { section, decisions, deprecated } = event;
  const remarks = { doc: `What \`${event.name}\` carries.`, section, decisions, deprecated };
  return typeDeclaration(names.ofEvent(event), remarks, event.payload, response.types, response.style);
}

function payloadTypes(method: MethodModel, names: InterfaceNames, request: Style): readonly Printable[] {
  const { types, style } = request;
  const own = names.of(method);
  const { payload } = method;
  if (payload.kind === "single") {
    const isFilled = style.defaultsFilled === true && hasDefaults(payload.shape);
    const object = isFilled ? filled(payload.shape) : payload.shape;
    const isNamed = !isFilled && payload.type !== undefined && style.presence === "groups";
    const declared = { name: own.payload, remarks: method, shape: object, absent: [] };
    const narrow = isNamed ? undefined : narrowedPayload(declared, method, request);
    const shape = isFilled ? object : namedOr(object, payload.type);
    return narrow ?? [typeDeclaration(own.payload, method, shape, types, style)];
  }
  return [
    ...payload.forms.flatMap((form) => {
      const absent = fieldsOfOtherForms(form, payload.forms);
      const object = { name: own.form(form), remarks: form, shape: form.shape, absent };
      return (
        narrowedPayload(object, method, request) ?? [
          [
            docComment({ ...form, doc: objectDoc(form.doc, form.shape) }),
            `export interface ${own.form(form)} `,
            objectType(form.shape, types, style, absent),
          ],
        ]
      );
    }),
    unionDeclaration(
      own.payload,
      method,
      payload.forms.map((form) => own.form(form)),
    ),
  ];
}

interface DeclaredObject {
  readonly name: string;
  readonly remarks: Remarks;
  readonly shape: ObjectTypeShape;
  /** Names of members that it never has. */
  readonly absent: readonly string[];
}

/** A payload some of whose fields have to be there together. */
function narrowedPayload(
  object: DeclaredObject,
  method: MethodModel,
  request: Style,
): readonly Printable[] | undefined {
  const { types, style } = request;
  const isLeft = style.presence === "payloads" && isLeftToCallers(object.shape, method);
  const presence = isLeft ? presenceTypes(object.shape, types, style) : [];
  const groups = style.presence === "groups" ? groupTypes(object.shape, types, style) : [];
  const all = [...presence, ...groups];
  return all.length === 0 ? undefined : narrowed(object, all, request);
}

/** An interface of all fields, and what narrows it. */
function narrowed(
  { name, remarks, shape, absent }: DeclaredObject,
  presence: readonly Printable[],
  { types, style, declared }: Style,
): readonly Printable[] {
  const fields = claim(name.replace(/(?:Payload)?(_*)$/, "Fields$1"), new Set(declared));
  return [
    [
      docComment({ doc: `The fields of ${name}, which says which of them have to be there.` }),
      `export interface ${fields} `,
      objectType(shape, types, style, absent),
    ],
    [
      docComment({ ...remarks, doc: objectDoc(remarks.doc, shape) }),
      `export type ${name} = ${fields} & `,
      deeper(separated(" & ", presence)),
      ";",
    ],
  ];
}

/** Not where the client fills in fields: the key of a registration, the page of a list, unless that is enough. */
function isLeftToCallers(shape: ObjectTypeShape, { paging, registersKey }: MethodModel): boolean {
  if (paging === undefined) return registersKey === undefined;
  const others = shape.fields.filter(({ presence }) => presence.kind === "required-when");
  const { exactlyOneOf, atLeastOnePath = [], exactlyOnePath = [] } = shape;
  return (
    others.length + exactlyOneOf.length + atLeastOnePath.length + exactlyOnePath.length === 0 &&
    shape.atLeastOneOf.every((group) => group.includes(paging.page ?? paging.cursor))
  );
}

function hasDefaults({ fields }: ObjectTypeShape): boolean {
  return fields.some((field) => field.default !== undefined);
}

/** The parameters as handlers find them. */
function filled(shape: ObjectTypeShape): ObjectTypeShape {
  const fields = shape.fields.map((field) =>
    field.default === undefined ? field : { ...field, presence: { kind: "required" } as const },
  );
  // A field that is always there settles its group.
  const isOpen = (group: readonly string[]) =>
    !shape.fields.some((field) => field.default !== undefined && group.includes(field.name));
  return {
    ...shape,
    fields,
    atLeastOneOf: shape.atLeastOneOf.filter(isOpen),
    exactlyOneOf: shape.exactlyOneOf.filter(isOpen),
  };
}

/** The named type, where the spec gives the object by its name. */
function namedOr(shape: Shape, type: string | undefined): Shape {
  return type === undefined ? shape : { kind: "ref", type };
}

function fieldsOfOtherForms(form: FormModel, forms: readonly FormModel[]): readonly string[] {
  const own = fieldNames(form.shape);
  return [...new Set(forms.flatMap((other) => fieldNames(other.shape)))].filter(
    (name) => !own.includes(name),
  );
}

function fieldNames(shape: ObjectTypeShape): readonly string[] {
  return shape.fields.map((field) => field.name);
}
