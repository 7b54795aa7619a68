import type {
  FormModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
} from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { claim, interfaceNames, type InterfaceNames } from "../../print/interface-names.ts";
import type { Printable } from "../../print/layout.ts";
import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
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
  /** Whether answers and events may hold values that their enums do not list: those of a newer service. */
  readonly openEnums?: boolean;
}

/** How what is sent is printed, and how what is answered. */
interface Styles {
  readonly request: Style;
  readonly response: Style;
}

interface Style {
  readonly types: TypeNames;
  readonly style: TypeStyle;
}

/** The text of a module with all types of the interface. */
export function typesModule(model: ServiceModel, path: string, style: TypesModuleStyle): string {
  const names = interfaceNames(model);
  const declared = declaredNames(model, names);
  const open = openName(model);
  const types = typeNames(model);
  const styles: Styles = {
    request: { types, style: { ...style, doubledSpellings: false } },
    response: { types: style.openEnums === true ? openTypeNames(model) : types, style },
  };
  return printModule({
    path,
    preamble: preamble(model),
    declares: [...declared, open],
    body: [
      ...(style.openEnums === true ? [openType(open)] : []),
      ...model.types.map((type) => {
        const isAnswered = type.usedIn.some((use) => use !== "request") && type.shape.kind !== "enum";
        const used = isAnswered ? styles.response : styles.request;
        return typeDeclaration(type.names.type, type, type.shape, used.types, used.style);
      }),
      ...model.methods.flatMap((method) => methodTypes(method, names, styles)),
    ],
  });
}

function openType(open: string): Printable {
  const doc =
    "A value of an answer: one of those that the interface lists, or one that a newer service knows. A `switch` over it needs a `default`.";
  return [docComment({ doc }), `export type ${open}<T extends string> = T | (string & {});`];
}

/** The names under which answers use types: enums are open. */
export function openTypeNames(model: ServiceModel, prefix = ""): TypeNames {
  const isEnum = (shape: Shape): boolean => {
    if (shape.kind !== "ref") return shape.kind === "enum";
    const type = model.types.find(({ name }) => name === shape.type);
    return type !== undefined && isEnum(type.shape);
  };
  const enums = new Set(model.types.filter((type) => isEnum(type.shape)).map((type) => type.name));
  const open = prefix + openName(model);
  return new Map(
    [...typeNames(model)].map(([name, type]) => [
      name,
      enums.has(name) ? `${open}<${prefix}${type}>` : prefix + type,
    ]),
  );
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
  ];
}

function methodTypes(method: MethodModel, names: InterfaceNames, { request, response }: Styles): Printable[] {
  const own = names.of(method);
  const { section, decisions, deprecated } = method;
  const result = { doc: `What \`${method.name}\` answers.`, section, decisions, deprecated };
  return [
    ...payloadTypes(method, names, request),
    typeDeclaration(
      own.result,
      result,
      namedOr(method.result, method.resultType),
      response.types,
      response.style,
    ),
  ];
}

function payloadTypes(method: MethodModel, names: InterfaceNames, { types, style }: Style): Printable[] {
  const own = names.of(method);
  const { payload } = method;
  if (payload.kind === "single") {
    const shape = namedOr(payload.shape, payload.type);
    return [typeDeclaration(own.payload, method, shape, types, style)];
  }
  return [
    ...payload.forms.map((form) => {
      const absent = fieldsOfOtherForms(form, payload.forms);
      return [
        docComment({ ...form, doc: objectDoc(form.doc, form.shape) }),
        `export interface ${own.form(form)} `,
        objectType(form.shape, types, style, absent),
      ];
    }),
    unionDeclaration(
      own.payload,
      method,
      payload.forms.map((form) => own.form(form)),
    ),
  ];
}

/** The named type, where the spec gives the object by its name. */
function namedOr(shape: ObjectTypeShape, type: string | undefined): Shape {
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
