import type {
  FormModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
} from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames, type InterfaceNames } from "../../print/interface-names.ts";
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

/** The text of a module with all types of the interface. */
export function typesModule(model: ServiceModel, path: string, style: TypeStyle): string {
  const names = interfaceNames(model);
  const types = typeNames(model);
  return printModule({
    path,
    preamble: preamble(model),
    declares: declaredNames(model, names),
    body: [
      ...model.types.map((type) => typeDeclaration(type.names.type, type, type.shape, types, style)),
      ...model.methods.flatMap((method) => methodTypes(method, names, types, style)),
    ],
  });
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

function methodTypes(
  method: MethodModel,
  names: InterfaceNames,
  types: TypeNames,
  style: TypeStyle,
): Printable[] {
  const own = names.of(method);
  const { section, decisions, deprecated } = method;
  const result = { doc: `What \`${method.name}\` answers.`, section, decisions, deprecated };
  return [
    ...payloadTypes(method, names, types, style),
    typeDeclaration(own.result, result, namedOr(method.result, method.resultType), types, style),
  ];
}

function payloadTypes(
  method: MethodModel,
  names: InterfaceNames,
  types: TypeNames,
  style: TypeStyle,
): Printable[] {
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
