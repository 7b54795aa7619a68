import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { braces, type Printable } from "../../print/layout.ts";
import { member, objectLiteral, propertyName, propertyOf, stringLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import { validatorModule, validatorName } from "../../print/validator-places.ts";
import type { ServedError, ServedErrors } from "../../protocols/protocol.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";

/** `errors.ts`: the errors of the interface by the names that handlers throw, and what is sent for each. */
export function errorsModule(model: ServiceModel, layout: EmitLayout, errors: ServedErrors): FileDraft {
  const path = modulePath(layout);
  const { list, hasData } = errors;
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: ["ErrorCode", "EveryMethodErrorCode", ...(hasData ? ["ErrorData"] : []), "errors"],
    body: [
      unionDeclaration(
        "ErrorCode",
        { doc: "Every error that a handler may throw, by its name." },
        names(list),
      ),
      unionDeclaration(
        "EveryMethodErrorCode",
        { doc: "The errors that every method can give." },
        names(list.filter(({ isEveryMethod }) => isEveryMethod)),
      ),
      ...(hasData ? [errorData(list, model, layout)] : []),
      errorTable(errors, model, layout),
    ],
  });
  return { path, ownership: "owned", text };
}

/** The type of what a method can fail with. */
export function errorCodeType(
  method: MethodModel,
  model: ServiceModel,
  layout: EmitLayout,
  { list }: ServedErrors,
): Printable {
  const everyMethod = new Set(list.flatMap(({ name, isEveryMethod }) => (isEveryMethod ? [name] : [])));
  const own = method.errors.filter(({ code }) => !everyMethod.has(code));
  const doc = `What \`${method.name}\` can fail with.`;
  return unionDeclaration(interfaceNames(model).of(method).errorCode, { doc }, [
    ...(everyMethod.size === 0 ? [] : [importedType("EveryMethodErrorCode", modulePath(layout))]),
    ...own.map(({ code }) => stringLiteral(code)),
  ]);
}

/** The errors that methods share, for `methods.ts`. */
export function everyMethodErrors({ list }: ServedErrors, layout: EmitLayout): Printable {
  const shared = list.filter(({ isEveryMethod }) => isEveryMethod);
  const entries = shared.map(({ name }) => member(name, catalogued(name, layout)));
  return ["const everyMethodErrors = ", objectLiteral(entries, { broken: entries.length > 0 }), ";"];
}

/** The errors of every method, then the method's own; one that the method words itself has that message here. */
export function methodErrors(method: MethodModel, { list }: ServedErrors, layout: EmitLayout): Printable {
  const known = new Map(list.map((error) => [error.name, error]));
  const own = method.errors.flatMap(({ code, message }) => {
    const entry = catalogued(code, layout);
    const error = known.get(code);
    if (error?.message !== message)
      return [member(code, objectLiteral([["...", entry], member("message", stringLiteral(message))]))];
    return error.isEveryMethod ? [] : [member(code, entry)];
  });
  if (own.length === 0) return "everyMethodErrors";
  return objectLiteral(["...everyMethodErrors", ...own], { broken: true });
}

/** What is sent for an error, in other modules. */
export function catalogued(name: string, layout: EmitLayout): Printable {
  return propertyOf(importedValue("errors", modulePath(layout)), name);
}

function modulePath({ out }: EmitLayout): string {
  return `${out}/errors.ts`;
}

function names(errors: readonly ServedError[]): readonly Printable[] {
  return errors.map(({ name }) => stringLiteral(name));
}

function errorData(errors: readonly ServedError[], model: ServiceModel, { out }: EmitLayout): Printable {
  const { ofErrorData } = interfaceNames(model);
  const members = errors.map(({ name, declared }) => {
    const type =
      declared?.data === undefined ? "undefined" : importedType(ofErrorData(declared), `${out}/types.ts`);
    return ["readonly ", propertyName(name), ": ", type, ";"];
  });
  const doc = "What `error.data` is, by the name of the error; undefined where the spec leaves it open.";
  return [docComment({ doc }), "export interface ErrorData ", braces(members)];
}

function errorTable({ list, descriptor }: ServedErrors, model: ServiceModel, layout: EmitLayout): Printable {
  const entries = list.map((error) => [
    docComment(error.declared === undefined ? {} : { ...error.declared, doc: about(error.declared) }),
    member(error.name, objectLiteral([...error.members, dataValidator(error, model, layout)])) ?? "",
    ",",
  ]);
  return [
    docComment({ doc: "What is sent for each error, by its name." }),
    "export const errors: { readonly [name in ErrorCode]: ",
    importedType(descriptor, layout.contract),
    " } = ",
    braces(entries),
    ";",
  ];
}

function dataValidator({ declared }: ServedError, model: ServiceModel, { out }: EmitLayout) {
  if (declared?.data === undefined) return undefined;
  const validator = validatorName(interfaceNames(model).ofErrorData(declared));
  return member("validateData", importedValue(validator, validatorModule(out, "errors")));
}

/** The meaning of an error and the remedy, as sentences. */
function about({ doc, action }: NonNullable<ServedError["declared"]>): string {
  return [doc, action]
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(" ");
}
