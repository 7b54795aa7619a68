import type { JsonRpcWireModel, ServiceModel } from "../../../model/service-model.ts";
import { everyMethodNames, namedErrors, type NamedError } from "../../../model/standard-errors.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { braces, type Printable } from "../../../print/layout.ts";
import { member, objectLiteral, propertyName, stringLiteral } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { validatorModule, validatorName } from "../../../print/validator-places.ts";
import { unionDeclaration } from "../../../print/type-expression.ts";
import type { EmitLayout, FileDraft } from "../../../targets/emitter.ts";
import { aboutError } from "../../../targets/errors/about-error.ts";

/** `errors.ts` of a standard interface: its errors by the name that handlers throw, and the types of their data. */
export function standardErrors(model: ServiceModel, wire: JsonRpcWireModel, layout: EmitLayout): FileDraft {
  const path = `${layout.out}/errors.ts`;
  const errors = namedErrors(model, wire);
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: ["ErrorCode", "EveryMethodErrorCode", "ErrorData", "errors"],
    body: [
      unionDeclaration(
        "ErrorCode",
        { doc: "Every error that a handler may throw, by its name. Several may have one code on the wire." },
        errors.map(({ name }) => stringLiteral(name)),
      ),
      unionDeclaration(
        "EveryMethodErrorCode",
        { doc: "The errors that every method can give." },
        everyMethodNames(model, wire).map(stringLiteral),
      ),
      errorData(errors, model, layout),
      errorTable(errors, model, layout),
    ],
  });
  return { path, ownership: "owned", text };
}

function errorData(errors: readonly NamedError[], model: ServiceModel, layout: EmitLayout): Printable {
  const names = interfaceNames(model);
  const members = errors.map(({ name, declared }) => {
    const hasData = declared?.data !== undefined;
    const type = hasData ? importedType(names.ofErrorData(declared), `${layout.out}/types.ts`) : "undefined";
    return ["readonly ", propertyName(name), ": ", type, ";"];
  });
  const doc = "What `error.data` is, by the name of the error; undefined where the spec leaves it open.";
  return [docComment({ doc }), "export interface ErrorData ", braces(members)];
}

function errorTable(errors: readonly NamedError[], model: ServiceModel, layout: EmitLayout): Printable {
  const entries = errors.map((error) => [
    docComment(error.declared === undefined ? {} : { ...error.declared, doc: aboutError(error.declared) }),
    entry(error, model, layout),
    ",",
  ]);
  return [
    docComment({ doc: "What is sent for each error, by its name." }),
    "export const errors: { readonly [name in ErrorCode]: ",
    importedType("JsonRpcErrorDescriptor", layout.contract),
    " } = ",
    braces(entries),
    ";",
  ];
}

function entry({ declared, ...error }: NamedError, model: ServiceModel, layout: EmitLayout): Printable {
  const validator =
    declared?.data === undefined
      ? undefined
      : importedValue(
          validatorName(interfaceNames(model).ofErrorData(declared)),
          validatorModule(layout.out, "errors"),
        );
  return (
    member(
      error.name,
      objectLiteral([...errorMembers(error), validator && member("validateData", validator)]),
    ) ?? ""
  );
}

/** The members of an error's descriptor. */
export function errorMembers(error: Omit<NamedError, "declared">): readonly (Printable | undefined)[] {
  return [
    member("name", stringLiteral(error.name)),
    member("code", String(error.code)),
    member("message", stringLiteral(error.message)),
    member("httpStatus", String(error.httpStatus)),
  ];
}
