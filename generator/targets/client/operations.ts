import { payloadShapes } from "../../model/resolve.ts";
import { shapeParts } from "../../language/shape-parts.ts";
import { resolve } from "../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { braces, bracketed, deeper, type Printable } from "../../print/layout.ts";
import { propertyName } from "../../print/literals.ts";
import { importedValue, importedType, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
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

/** The part of `operations.ts` that depends on the protocol. */
export interface OperationsSource {
  /** Declarations that methods share. */
  readonly constants: readonly { readonly name: string; readonly body: Printable }[];
  /** The arguments of the call that makes a method's function, with their brackets. */
  argumentsOf(method: MethodModel): Printable;
}

/** `operations.ts`: every method as a function of its own, so that a bundle holds only those that are called. */
export function operationsModule(
  model: ServiceModel,
  folder: string,
  { constants, argumentsOf }: OperationsSource,
): string {
  const { of } = interfaceNames(model);
  const from = `${folder}/operation.ts`;
  const operations = model.methods.map((method) => {
    const { payload, result } = of(method);
    const types = [importedType(payload, `${folder}/types.ts`), importedType(result, `${folder}/types.ts`)];
    const type = [importedType("Operation", from), bracketed("<", ">", types)];
    const call = ["/* @__PURE__ */ ", importedValue("operation", from), argumentsOf(method)];
    return [methodComment(method), `export const ${method.names.value}: `, type, " = ", call, ";"];
  });
  return printModule({
    path: `${folder}/operations.ts`,
    preamble: preamble(model),
    declares: [...constants.map(({ name }) => name), ...model.methods.map(({ names }) => names.value)],
    body: [...constants.map(({ body }) => body), ...operations],
  });
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
