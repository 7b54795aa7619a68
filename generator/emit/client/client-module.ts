import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames, type InterfaceNames } from "../../print/interface-names.ts";
import { bracketed, group, hardline, indent, line, lines, type Printable } from "../../print/layout.ts";
import { member, objectLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";

/** What the client's own names are. */
export function clientNames(names: InterfaceNames): { readonly type: string; readonly create: string } {
  return { type: `${names.type}Client`, create: `create${names.type}Client` };
}

/** `client.ts`: all methods behind one object, grouped by service as the interface groups them. */
export function clientModule(model: ServiceModel, folder: string): string {
  const { type, create } = clientNames(interfaceNames(model));
  return printModule({
    path: `${folder}/client.ts`,
    preamble: preamble(model),
    declares: [type, create, "connection", "options", "payload"],
    body: [clientInterface(type, model, folder), createFunction(create, type, model, folder)],
  });
}

function clientInterface(type: string, model: ServiceModel, folder: string): Printable {
  const members = grouped(model).map(({ service, methods }) => {
    const signatures = methods.map((method) => signature(method, model, folder));
    if (service === undefined) return lines(signatures);
    const group = ["{", indent([hardline, lines(signatures)]), hardline, "};"];
    return [docComment(service), `readonly ${service.names.value}: `, group];
  });
  const remarks = { ...model, doc: `${model.title}: its methods, signed and sent.` };
  return [docComment(remarks), `export interface ${type} `, braces(members)];
}

function signature(method: MethodModel, model: ServiceModel, folder: string): Printable {
  const names = interfaceNames(model).of(method);
  const payload = importedType(names.payload, `${folder}/types.ts`);
  const result = importedType(names.result, `${folder}/types.ts`);
  const options = importedType("CallOptions", `${folder}/call.ts`);
  const parameters = bracketed("(", ")", [
    ["payload: ", payload],
    ["options?: ", options],
  ]);
  return [docComment(method), method.names.value, parameters, ": Promise<", result, ">;"];
}

function createFunction(create: string, type: string, model: ServiceModel, folder: string): Printable {
  const members = grouped(model).flatMap(({ service, methods }) => {
    const calls = methods.map((method) => callMember(method, folder));
    return service === undefined
      ? calls
      : [member(service.names.value, objectLiteral(calls, { broken: true }))];
  });
  const body = [
    ["const connection = ", importedValue("connect", `${folder}/connection.ts`), "(options);"],
    ["return ", objectLiteral(members, { broken: true }), ";"],
  ];
  const parameter = ["options: ", importedType("ClientOptions", `${folder}/connection.ts`)];
  return [
    docComment({ doc: "A client of one service for one caller. Sends nothing yet." }),
    [`export function ${create}(`, parameter, `): ${type} `, braces(body)],
  ];
}

function callMember(method: MethodModel, folder: string): Printable {
  const { value } = method.names;
  const call = importedValue("call", `${folder}/call.ts`);
  const descriptor = importedValue(value, `${folder}/methods.ts`);
  const sent = [call, "(connection, ", descriptor, ", payload, options)"];
  return group([`${value}: (payload, options) =>`, group(indent([line, sent]))]);
}

/** Services in the model's order, each with its methods; then the methods without a service. */
function grouped(model: ServiceModel) {
  const groups = model.services.map((service) => ({
    service,
    methods: model.methods.filter((method) => method.service === service.name),
  }));
  const alone = model.methods.filter((method) => method.service === undefined);
  return [...groups, { service: undefined, methods: alone }].filter(({ methods }) => methods.length > 0);
}

function braces(members: readonly Printable[]): Printable {
  return members.length === 0 ? "{}" : ["{", indent([hardline, lines(members)]), hardline, "}"];
}
