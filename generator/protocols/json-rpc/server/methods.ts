import { isJsonRpcFrame } from "../../../../conformance/base/frame.ts";
import { jsonRpcTransport } from "../wire.ts";
import type {
  ErrorModel,
  EventModel,
  FieldModel,
  JsonRpcFaultModel,
  JsonRpcWireModel,
  MethodModel,
  ServiceModel,
} from "../../../model/service-model.ts";
import { holdsExactNumber } from "../../../model/holds.ts";
import { takesNull } from "../../../model/resolve.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { braces, type Printable } from "../../../print/layout.ts";
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
import { programLiteral, servicePlans, type Planned } from "../../../print/value-plans.ts";
import { validatorModule, validatorName, type ValidatorKind } from "../../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../../../targets/emitter.ts";
import { catalogued, everyMethodErrors, methodErrors } from "../../../targets/errors/errors-module.ts";
import type { ServedErrors } from "../../protocol.ts";
import { openRpcDocument } from "../documents/openrpc.ts";

/** The version of the contract that generated code is written for. */
const contractVersion = 1;

/** Inputs shared by the functions below. */
interface Source {
  readonly model: ServiceModel;
  readonly wire: JsonRpcWireModel;
  readonly layout: EmitLayout;
  readonly errors: ServedErrors;
}

/** `methods.ts` of a standard interface: everything that the runtime needs to know of it, as data. */
export function standardMethods(source: Source): FileDraft {
  const { model, layout, errors } = source;
  const path = `${layout.out}/methods.ts`;
  const name = `${interfaceNames(model).value}Interface`;
  const constants = servicePlans(model).constantsOf(planned(model));
  const plans = constants.map((each) => [
    `const ${each.name}: `,
    importedType("ValuePlan", layout.contract),
    " = ",
    each.value,
    ";",
  ]);
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: [name, "everyMethodErrors", ...constants.map((each) => each.name)],
    body: [
      ...plans,
      ...(model.methods.length === 0 ? [] : [everyMethodErrors(errors, layout)]),
      descriptor(name, source),
    ],
  });
  return { path, ownership: "owned", text };
}

function documentName(model: ServiceModel): string {
  return `${interfaceNames(model).value}Document`;
}

/** `document.ts`: the OpenRPC document as a text, which costs the compiler nothing, however long it is. */
export function documentModule({ model, layout }: Pick<Source, "model" | "layout">): FileDraft {
  const path = `${layout.out}/document.ts`;
  const json = JSON.stringify(openRpcDocument(model), null, 2);
  const escaped = json.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&");
  const name = documentName(model);
  const doc = `The OpenRPC document of the ${model.name} interface, which \`rpc.discover\` answers with.`;
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: [name],
    body: [[docComment({ doc }), `export const ${name}: string = `, `\`${escaped}\`;`]],
  });
  return { path, ownership: "owned", text };
}

function descriptor(name: string, source: Source): Printable {
  const { model, wire, layout } = source;
  const methods = model.methods.map((method) => {
    // The compiler looks for the type of `constructor` at Object.prototype, and widens the literals of its value.
    const asConst = method.name in Object.prototype ? " as const" : "";
    return member(method.name, [methodDescriptor(method, source), asConst]);
  });
  const notifications = model.events.map((event) => {
    const validate = importedValidator("events", interfaceNames(model).ofEvent(event), layout);
    const plan = servicePlans(model).of(plannedEvent(event, model));
    const own = [
      member("name", stringLiteral(event.name)),
      member("validate", validate),
      member("plan", plan),
    ];
    return member(event.name, objectLiteral(own));
  });
  const value = objectLiteral(
    [
      member("protocol", stringLiteral("json-rpc-2.0")),
      isJsonRpcFrame(wire.frame) ? undefined : member("frame", jsonLiteral(wire.frame)),
      member("contract", String(contractVersion)),
      member("name", stringLiteral(model.name)),
      member("title", stringLiteral(model.title)),
      member("revision", stringLiteral(model.revision)),
      member("path", stringLiteral(model.path)),
      member(
        "http",
        objectLiteral([
          member("status", stringLiteral(wire.http.status)),
          member("notified", String(wire.http.notified)),
        ]),
      ),
      member(
        "batch",
        wire.batch === false ? "false" : objectLiteral([member("max", String(wire.batch.max))]),
      ),
      member("transports", arrayLiteral(wire.transports.map(stringLiteral))),
      member("methods", objectLiteral(methods, { broken: methods.length > 0 })),
      notifications.length === 0
        ? undefined
        : member("notifications", objectLiteral(notifications, { broken: true })),
      errorPlans(model),
      member("faults", faults(source)),
      member("schemes", schemes(model)),
      member("document", importedValue(documentName(model), `${layout.out}/document.ts`)),
    ],
    { broken: true },
  );
  const remarks = { ...model, doc: `${model.title}, as the runtime sees it.` };
  return [docComment(remarks), `export const ${name}: `, descriptorType(source), " = ", value, ";"];
}

/** Says the kind of each scheme: the compiler asks a service for a verifier of that kind. */
function descriptorType({ model, layout }: Source): Printable {
  const scheme = importedType("SchemeDescriptor", layout.contract);
  const members = model.schemes.map(({ name, kind }) => [
    `readonly ${propertyName(name)}: `,
    scheme,
    `<${stringLiteral(kind)}>;`,
  ]);
  const schemes = members.length === 0 ? "{}" : braces(members);
  return [importedType("JsonRpcInterfaceDescriptor", layout.contract), "<", schemes, ">"];
}

function methodDescriptor(method: MethodModel, source: Source): Printable {
  const { model, layout } = source;
  const { payload } = method;
  const transport = jsonRpcTransport(method.transport);
  const names = interfaceNames(model).of(method);
  const fields = payload.kind === "single" ? payload.shape.fields : [];
  const parameters = fields.map((field) => parameter(field, model));
  const isAnswered = transport.notify !== "only";
  return objectLiteral(
    [
      member("name", stringLiteral(method.name)),
      member("effect", stringLiteral(method.effect)),
      member("params", stringLiteral(transport.params)),
      member("notify", stringLiteral(transport.notify)),
      member("parameters", arrayLiteral(parameters)),
      member("security", security(method)),
      member("validate", importedValidator("payloads", names.payload, layout)),
      isAnswered ? member("validateResult", importedValidator("results", names.result, layout)) : undefined,
      methodPlans(method, model),
      fillDefaults(fields, source),
      member("errors", methodErrors(method, source.errors, layout)),
    ],
    { broken: true },
  );
}

/** Defaults first: what the caller says replaces them. Each call has values of its own. */
function fillDefaults(fields: readonly FieldModel[], { model, layout }: Source): Printable | undefined {
  const decimal = (lexeme: string) => [importedValue("decimal", layout.contract), `("${lexeme}")`];
  const defaults = fields.flatMap(({ name, shape, default: preset }) =>
    preset === undefined ? [] : [member(name, programLiteral(preset, shape, model, decimal))],
  );
  if (defaults.length === 0) return undefined;
  return member("fillDefaults", ["(params: object) => (", objectLiteral([...defaults, "...params"]), ")"]);
}

/** Parameters that have exact numbers, and all that the service sends. */
function planned(model: ServiceModel): readonly Planned[] {
  return [
    ...model.methods.flatMap((method) =>
      [plannedParams(method, model) ?? [], plannedResult(method, model)].flat(),
    ),
    ...model.events.map((event) => plannedEvent(event, model)),
    ...model.errors.flatMap((error) => plannedData(error, model) ?? []),
  ];
}

function plannedParams(method: MethodModel, model: ServiceModel): Planned | undefined {
  const { payload } = method;
  if (payload.kind !== "single" || !holdsExactNumber(model, payload.shape)) return undefined;
  const wanted = interfaceNames(model).of(method).payload;
  return { shape: payload.type === undefined ? payload.shape : { kind: "ref", type: payload.type }, wanted };
}

function plannedResult(method: MethodModel, model: ServiceModel): Planned {
  const { result, resultType } = method;
  const wanted = interfaceNames(model).of(method).result;
  return { shape: resultType === undefined ? result : { kind: "ref", type: resultType }, wanted };
}

function plannedEvent(event: EventModel, model: ServiceModel): Planned {
  return { shape: event.payload, wanted: interfaceNames(model).ofEvent(event) };
}

function plannedData(error: ErrorModel, model: ServiceModel): Planned | undefined {
  const { data } = error;
  return data === undefined ? undefined : { shape: data, wanted: interfaceNames(model).ofErrorData(error) };
}

/** How parameters with exact numbers are read, and what is sent of a result. */
function methodPlans(method: MethodModel, model: ServiceModel): Printable | undefined {
  const plans = servicePlans(model);
  const params = plannedParams(method, model);
  const members = [
    member("params", params === undefined ? undefined : plans.of(params)),
    member("result", plans.of(plannedResult(method, model))),
  ];
  return members.every((each) => each === undefined) ? undefined : member("plans", objectLiteral(members));
}

/** What is sent of the data of errors. */
function errorPlans(model: ServiceModel): Printable | undefined {
  const members = model.errors.map((error) => {
    const data = plannedData(error, model);
    return member(error.code, data === undefined ? undefined : servicePlans(model).of(data));
  });
  return members.every((each) => each === undefined)
    ? undefined
    : member("errorPlans", objectLiteral(members, { broken: true }));
}

function parameter(field: FieldModel, model: ServiceModel): Printable {
  return objectLiteral([
    member("name", stringLiteral(field.name)),
    member("required", String(field.presence.kind === "required")),
    member("nullable", String(takesNull(field.shape, model))),
  ]);
}

/** The security of a method, in the order of the spec. */
function security(method: MethodModel): Printable {
  const alternatives = method.security.map((alternative) =>
    objectLiteral(
      alternative.map(({ scheme, scopes }) => member(scheme, arrayLiteral(scopes.map(stringLiteral)))),
    ),
  );
  return arrayLiteral(alternatives);
}

function schemes(model: ServiceModel): Printable {
  const members = model.schemes.map(({ name, kind, options }) =>
    member(name, jsonLiteral({ kind, ...options })),
  );
  return objectLiteral(members, { broken: members.length > 0 });
}

/** Errors of the runtime itself: those of the spec or of the standard. */
function faults({ model, wire, layout }: Source): Printable {
  const declared = new Set(model.errors.map(({ code }) => code));
  const members = Object.entries(wire.faults).map(([fault, error]: [string, JsonRpcFaultModel]) => {
    const known = model.errors.find(({ code }) => code === error.name);
    const isDeclared = declared.has(error.name) && known?.rpcCode === error.code;
    return member(fault, isDeclared ? catalogued(error.name, layout) : objectLiteral(errorMembers(error)));
  });
  return objectLiteral(members, { broken: true });
}

/** The members of an error's descriptor. */
export function errorMembers(error: JsonRpcFaultModel): readonly (Printable | undefined)[] {
  return [
    member("name", stringLiteral(error.name)),
    member("code", String(error.code)),
    member("message", stringLiteral(error.message)),
    member("httpStatus", String(error.httpStatus)),
  ];
}

function importedValidator(kind: ValidatorKind, type: string, { out }: EmitLayout): Printable {
  return importedValue(validatorName(type), validatorModule(out, kind));
}
