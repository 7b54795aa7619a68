import { payloadShapes } from "../../model/resolve.ts";
import { shapeParts } from "../../language/shape-parts.ts";
import { resolve } from "../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { braces, bracketed, deeper, type Printable } from "../../print/layout.ts";
import { propertyName } from "../../print/literals.ts";
import { importedValue, importedType } from "../../print/module.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { docComment } from "../../print/doc-comment.ts";

/** Every name under which the payload, the result or an error may hold a sensitive value, at any depth. */
export function sensitiveNames(method: MethodModel, model: ServiceModel): readonly string[] {
  const names = new Set<string>();
  const data = model.errors.flatMap((error) => (error.data === undefined ? [] : [error.data]));
  const reached = new Set(
    [...payloadShapes(method.payload), method.result, ...data].map((shape) => resolve(model, shape)),
  );
  // The set grows while it is walked.
  for (const shape of reached) {
    if (shape.kind === "object") {
      for (const field of shape.fields.filter(({ sensitive }) => sensitive)) {
        for (const name of [field.name, field.alsoSentAs ?? field.name]) names.add(name);
      }
    }
    for (const part of shapeParts(shape)) reached.add(resolve(model, part));
  }
  return [...names].toSorted();
}

/** The constant of one method in `operations.ts`; `args` are the arguments of the call that makes it, with their brackets. */
export function operationDeclaration(
  method: MethodModel,
  model: ServiceModel,
  folder: string,
  args: Printable,
): Printable {
  const { payload, result } = interfaceNames(model).of(method);
  const types = [importedType(payload, `${folder}/types.ts`), importedType(result, `${folder}/types.ts`)];
  const type = [importedType("Operation", `${folder}/operation.ts`), bracketed("<", ">", types)];
  const call = ["/* @__PURE__ */ ", importedValue("operation", `${folder}/operation.ts`), args];
  return [methodComment(method), `export const ${method.names.value}: `, type, " = ", call, ";"];
}

/** The doc comment of a method: its documented name first, then its effect. */
export function methodComment(method: MethodModel, more = ""): Printable {
  return docComment({ ...method, doc: `\`${method.name}\`: ${method.doc}${more}` });
}

/** The interface of what each method takes and gives, by its documented name. */
export function methodMap(model: ServiceModel, name: string, folder: string): Printable {
  const members = model.methods.map((method) => {
    const own = interfaceNames(model).of(method);
    const payload = ["readonly payload: ", importedType(own.payload, `${folder}/types.ts`)];
    const result = ["readonly result: ", importedType(own.result, `${folder}/types.ts`)];
    return ["readonly ", propertyName(method.name), ": ", ["{ ", deeper(payload, "; ", result), " }"], ";"];
  });
  const doc = "What each method takes and gives, by its documented name.";
  return [docComment({ doc }), `export interface ${name} `, braces(members)];
}
