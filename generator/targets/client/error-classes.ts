import type { ErrorModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { bracketed, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";

/** The class of one error of the service. */
export interface ErrorClass {
  readonly className: string;
  /** The code on the wire, as a literal. */
  readonly code: string;
  readonly doc: string;
  /** As the spec has it; absent for one of a standard. */
  readonly error?: ErrorModel;
  /** The type of its data, where the spec says it. */
  readonly data?: Printable;
  /** The message that tells it apart, where others have its code. */
  readonly message?: string;
}

const file = "service-error.ts";

/** `error-classes.ts`: a class for each error, and the fixed class of all under a name of the interface's own, if it has one. */
export function errorClassesModule(
  model: ServiceModel,
  folder: string,
  classes: readonly ErrorClass[],
  ownName?: string,
): string {
  return printModule({
    path: `${folder}/error-classes.ts`,
    preamble: preamble(model),
    declares: [...(ownName === undefined ? [] : [ownName]), ...classes.map(({ className }) => className)],
    body: [
      ...(ownName === undefined ? [] : [serviceError(ownName, folder)]),
      ...classes.map((one) => classOf(one, folder, ownName)),
    ],
  });
}

function classOf({ className, code, data, message, ...one }: ErrorClass, folder: string, ownName?: string) {
  const types = bracketed("<", ">", data === undefined ? [code] : [code, data]);
  const args = bracketed("(", ")", message === undefined ? [code] : [code, stringLiteral(message)]);
  const made = ["/* @__PURE__ */ ", importedValue("codeClass", `${folder}/${file}`)];
  const type = [": ", importedType("CodeClass", `${folder}/${file}`), types, " ="];
  const thrown = ownName ?? importedType("ServiceError", `${folder}/${file}`);
  return [
    docComment({ ...one.error, doc: one.doc }),
    [`export const ${className}`, type, " ", ...made, data === undefined ? "" : types, args, ";", "\n"],
    [`export type ${className} = `, thrown, types, ";"],
  ];
}

function serviceError(name: string, folder: string): Printable {
  const doc = "The service answered with an error: `code` says which. The message is the service's.";
  const anyCode = importedType("AnyErrorCode", `${folder}/interface.ts`);
  const own = [importedType("ServiceError", `${folder}/${file}`), "<Code>"];
  const value = [": ", importedType("ErrorClass", `${folder}/failures.ts`), `<${name}> =`];
  return [
    docComment({ doc }),
    [`export interface ${name}<Code = `, anyCode, "> extends ", own, " {}\n"],
    [`export const ${name}`, value, " ", importedValue("ServiceError", `${folder}/${file}`), ";"],
  ];
}
