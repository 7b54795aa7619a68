import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import type { Printable } from "../../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, stringLiteral } from "../../../print/literals.ts";
import { importedType, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { operationDeclaration } from "../operation-declaration.ts";
import { sensitiveNames } from "../operations-module.ts";
import { clientPlans, type Planned } from "../../../print/value-plans.ts";

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
  const { transport } = method;
  if (transport.kind !== "json-rpc") throw new Error(`${method.name} does not travel as JSON-RPC 2.0`);
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
