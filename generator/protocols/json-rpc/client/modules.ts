import { jsonRpcTransport } from "../wire.ts";
import type {
  ServiceModel,
  SchemeModel,
  JsonRpcWireModel,
  MethodModel,
} from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { bracketed, type Printable, braces } from "../../../print/layout.ts";
import {
  arrayLiteral,
  jsonLiteral,
  member,
  objectLiteral,
  propertyName,
  stringLiteral,
} from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { NamedError, StandardNames } from "./names.ts";
import { schemeKindOf, type SchemeKind } from "../../../../conformance/request/schemes/index.ts";
import { packageName } from "../../../targets/client/readme-parts.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import { operationDeclaration, sensitiveNames } from "../../../targets/client/operations.ts";
import { clientPlans, type Planned } from "../../../print/value-plans.ts";

/** `error-classes.ts`: one class for each error of the interface and of the standard. */
export function errorsModule(model: ServiceModel, names: StandardNames, folder: string): string {
  return printModule({
    path: `${folder}/error-classes.ts`,
    preamble: preamble(model),
    declares: names.errors.map(({ className }) => className),
    body: names.errors.map((error) => classOf(error, model, folder)),
  });
}

function classOf(
  { className, code, message, doc, error, isShared }: NamedError,
  model: ServiceModel,
  folder: string,
) {
  const errors = `${folder}/service-error.ts`;
  const data: Printable =
    error?.data === undefined
      ? "unknown"
      : importedType(interfaceNames(model).ofErrorData(error), `${folder}/types.ts`);
  const types = bracketed("<", ">", [String(code), data]);
  const args = [String(code), stringLiteral(message), ...(isShared ? [stringLiteral("shared")] : [])];
  const make = [
    "/* @__PURE__ */ ",
    importedValue("namedError", errors),
    types,
    bracketed("(", ")", args),
    ";",
  ];
  const type = [": ", importedType("NamedErrorClass", errors), types, " ="];
  return [
    docComment({ ...error, doc }),
    [`export const ${className}`, type, " ", make, "\n"],
    [`export type ${className} = `, importedType("ServiceError", errors), types, ";"],
  ];
}

/** `schemes.ts`: the authentication schemes of the interface, and the credentials that each takes. */
export function schemesModule(model: ServiceModel, names: StandardNames, folder: string): string {
  const members = model.schemes.map((scheme) => [
    docComment(scheme),
    "readonly ",
    propertyName(scheme.name),
    "?: ",
    credentialType(scheme, folder),
    ";",
  ]);
  const doc =
    "Credentials, by the name of the scheme. A call uses the first of its alternatives that they fit.";
  const value = objectLiteral(
    model.schemes.map((scheme) => member(scheme.name, schemeValue(scheme, folder))),
    { broken: members.length > 0 },
  );
  return printModule({
    path: `${folder}/schemes.ts`,
    preamble: preamble(model),
    declares: [names.auth, "schemes"],
    body: [
      [docComment({ doc }), `export interface ${names.auth} `, braces(members)],
      [
        docComment({ doc: "How each scheme puts its credentials into a request." }),
        "export const schemes: { readonly [name in keyof ",
        names.auth,
        "]-?: ",
        importedType("Scheme", `${folder}/authorizer.ts`),
        " } = ",
        value,
        ";",
      ],
    ],
  });
}

function credentialType(scheme: SchemeModel, folder: string): Printable {
  const { type, module = "credentials", isProvided } = kindOf(scheme).client;
  const printed = importedType(type, `${folder}/${module}.ts`);
  if (isProvided !== true) return printed;
  return [importedType("Provided", `${folder}/exchange.ts`), "<", printed, ">"];
}

function schemeValue(scheme: SchemeModel, folder: string): Printable {
  const { value, module = "credentials", arguments: argumentsOf } = kindOf(scheme).client;
  const printed = importedValue(value, `${folder}/${module}.ts`);
  if (argumentsOf === undefined) return printed;
  const texts = argumentsOf(scheme).flatMap((argument, index) => [
    index === 0 ? "" : ", ",
    typeof argument === "string" ? stringLiteral(argument) : arrayLiteral(argument.map(stringLiteral)),
  ]);
  return [printed, "(", ...texts, ")"];
}

function kindOf({ kind }: SchemeModel): SchemeKind {
  const known = schemeKindOf(kind);
  if (known === undefined) throw new Error(`a checked spec has no scheme of the kind ${kind}`);
  return known;
}

/** `interface.ts`: what the fixed modules read of the interface. `templates/client/json-rpc/interface.ts` stands in for it. */
export function interfaceModule(model: ServiceModel, wire: JsonRpcWireModel, folder: string): string {
  const { rateLimited, unavailable } = wire.faults;
  const temporary = [...new Set([rateLimited.code, unavailable.code])];
  const constants: readonly (readonly [doc: string, name: string, value: Printable])[] = [
    ["The `name` of errors that the service answers with.", "errorName", stringLiteral("ServiceError")],
    [
      "Name of the member that marks the errors of this package.",
      "errorMark",
      stringLiteral(packageName(model)),
    ],
    [
      "The code that asks the caller to come again later: nothing has been done.",
      "rateLimitedCode: number",
      String(rateLimited.code),
    ],
    [
      "Codes after which a call may be sent again where that is safe.",
      "temporaryCodes: readonly unknown[]",
      arrayLiteral(temporary.map(String)),
    ],
    ["Headers of every request.", "ownHeaders", jsonLiteral({ "content-type": "application/json" })],
    [
      "The most calls of a batch; 0 where the interface has no batches.",
      "batchMax: number",
      String(wire.batch === false ? 0 : wire.batch.max),
    ],
  ];
  return printModule({
    path: `${folder}/interface.ts`,
    preamble: preamble(model),
    declares: [],
    body: constants.map(([doc, name, value]) => [docComment({ doc }), `export const ${name} = `, value, ";"]),
  });
}

/** `operations.ts`: every method as a function of its own, so that a bundle holds only those that are called. */
export function operationsModule(model: ServiceModel, folder: string): string {
  const constants = clientPlans(model).constantsOf(model.methods.map((method) => planned(method, model)));
  const type = () => importedType("Bigints", `${folder}/method.ts`);
  return printModule({
    path: `${folder}/operations.ts`,
    preamble: preamble(model),
    declares: [...constants.map(({ name }) => name), ...model.methods.map((method) => method.names.value)],
    body: [
      ...constants.map(({ name, value }) => [`const ${name}: `, type(), " = ", value, ";"]),
      ...model.methods.map((method) => operationConstant(method, model, folder)),
    ],
  });
}

function operationConstant(method: MethodModel, model: ServiceModel, folder: string): Printable {
  return operationDeclaration(method, model, folder, ["(", descriptor(method, model), ")"]);
}

/** The method as data. */
function descriptor(method: MethodModel, model: ServiceModel): Printable {
  const transport = jsonRpcTransport(method.transport);
  const fields = payloadShapes(method.payload).flatMap((shape) => shape.fields);
  const list = (name: string, items: readonly string[]) =>
    items.length === 0 ? undefined : member(name, texts(items));
  const nullable = fields.filter(({ shape }) => shape.kind === "nullable").map(({ name }) => name);
  const security = method.security.map((alternative) => texts(alternative.map(({ scheme }) => scheme)));
  const places = clientPlans(model).of(planned(method, model));
  return objectLiteral([
    member("name", stringLiteral(method.name)),
    member("effect", stringLiteral(method.effect)),
    member("params", stringLiteral(transport.params)),
    member("parameters", texts(fields.map(({ name }) => name))),
    list("nullable", transport.params === "by-position" ? nullable : []),
    security.length === 0 ? undefined : member("security", arrayLiteral(security)),
    list("sensitive", sensitiveNames(method, model)),
    places === undefined ? undefined : member("bigints", places),
  ]);
}

function texts(names: readonly string[]): Printable {
  return arrayLiteral(names.map(stringLiteral));
}

function planned(method: MethodModel, model: ServiceModel): Planned {
  return { shape: method.result, wanted: interfaceNames(model).of(method).result };
}
