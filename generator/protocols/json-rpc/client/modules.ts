import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { jsonRpcTransport } from "../wire.ts";
import type {
  ServiceModel,
  SchemeModel,
  JsonRpcWireModel,
  MethodModel,
} from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { type Printable, braces } from "../../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, propertyName, stringLiteral } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { StandardNames } from "./names.ts";
import { schemeKindOf, type SchemeKind } from "../../../../conformance/request/schemes/index.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import { errorClassesModule } from "../../../targets/client/error-classes.ts";
import type { InterfaceFacts } from "../../../targets/client/interface-module.ts";
import { sensitiveNames, type OperationsSource } from "../../../targets/client/operations.ts";
import { clientPlans, type Planned } from "../../../print/value-plans.ts";

/** One class for each error of the interface and of the standard. */
export function errorsModule(model: ServiceModel, names: StandardNames, folder: string): string {
  const { ofErrorData } = interfaceNames(model);
  return errorClassesModule(
    model,
    folder,
    names.errors.map(({ code, error, message, isShared, className, doc }) =>
      omitUndefined({
        className,
        doc,
        error,
        code: String(code),
        data: error?.data && importedType(ofErrorData(error), `${folder}/types.ts`),
        message: isShared ? message : undefined,
      }),
    ),
  );
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

/** `templates/client/json-rpc/interface.ts` stands in for it. */
export function standardInterface(
  { faults: { rateLimited, unavailable }, batch }: JsonRpcWireModel,
  names: StandardNames,
): InterfaceFacts {
  return {
    errorName: "ServiceError",
    codes: names.errors.map(({ code }) => String(code)),
    codeType: "number",
    temporaryCodes: [rateLimited, unavailable].map(({ code }) => String(code)),
    hasErrorData: false,
    headers: {},
    constants: [
      [
        "The code that asks the caller to come again later: nothing has been done.",
        "rateLimitedCode: number",
        String(rateLimited.code),
      ],
      [
        "The most calls of a batch; 0 where the interface has no batches.",
        "batchMax: number",
        String(batch === false ? 0 : batch.max),
      ],
    ],
  };
}

/** Every method as data, with the plans of its large integers. */
export function standardOperations(model: ServiceModel, folder: string): OperationsSource {
  const constants = clientPlans(model).constantsOf(model.methods.map((method) => planned(method, model)));
  const type = () => importedType("Bigints", `${folder}/method.ts`);
  return {
    constants: constants.map(({ name, value }) => ({
      name,
      body: [`const ${name}: `, type(), " = ", value, ";"],
    })),
    argumentsOf: (method) => ["(", descriptor(method, model), ")"],
  };
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
