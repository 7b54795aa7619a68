import type {
  FieldModel,
  JsonRpcFaultModel,
  JsonRpcWireModel,
  MethodModel,
  ServiceModel,
  Shape,
} from "../../model/service-model.ts";
import { holdsBigint } from "../../model/holds-bigint.ts";
import { takesNull } from "../../model/resolve.ts";
import { everyMethodNames, namedErrors } from "../../model/standard-errors.ts";
import { bigintPlaces, withBigints, type BigintConstant } from "../../print/bigint-places.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import type { Printable } from "../../print/layout.ts";
import {
  arrayLiteral,
  jsonLiteral,
  member,
  objectLiteral,
  propertyOf,
  stringLiteral,
} from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { validatorModule, validatorName, type ValidatorKind } from "../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { errorMembers } from "../errors/json-rpc.ts";

/** The version of the contract that generated code is written for. */
const contractVersion = 1;

/** Inputs shared by the functions below. */
interface Source {
  readonly model: ServiceModel;
  readonly wire: JsonRpcWireModel;
  readonly layout: EmitLayout;
}

/** `methods.ts` of a standard interface: everything that the runtime needs to know of it, as data. */
export function standardMethods(source: Source): FileDraft {
  const { model, wire, layout } = source;
  const path = `${layout.out}/methods.ts`;
  const name = `${interfaceNames(model).value}Interface`;
  const everyMethod = everyMethodNames(model, wire);
  const everyMethodErrors = [
    "const everyMethodErrors = ",
    objectLiteral(
      everyMethod.map((error) => member(error, catalogued(error, layout))),
      { broken: everyMethod.length > 0 },
    ),
    ";",
  ];
  const constants = bigintConstants(model);
  const places = constants.map((each) => [
    `const ${each.name}: `,
    importedType("BigintPlaces", layout.contract),
    " = ",
    each.value,
    ";",
  ]);
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: [name, "everyMethodErrors", ...constants.map((each) => each.name)],
    body: [...places, ...(model.methods.length === 0 ? [] : [everyMethodErrors]), descriptor(name, source)],
  });
  return { path, ownership: "owned", text };
}

function descriptor(name: string, source: Source): Printable {
  const { model, wire, layout } = source;
  const methods = model.methods.map((method) => member(method.name, methodDescriptor(method, source)));
  const notifications = model.events.map((event) => {
    const validate = importedValidator("events", interfaceNames(model).ofEvent(event), layout);
    const own = [member("name", stringLiteral(event.name)), member("validate", validate)];
    return member(event.name, objectLiteral(own));
  });
  const value = objectLiteral(
    [
      member("protocol", stringLiteral(wire.protocol)),
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
      member("faults", faults(source)),
      member("schemes", schemes(model)),
    ],
    { broken: true },
  );
  const remarks = { ...model, doc: `${model.title}, as the runtime sees it.` };
  const type = importedType("JsonRpcInterfaceDescriptor", layout.contract);
  return [docComment(remarks), `export const ${name} = `, value, " as const satisfies ", type, ";"];
}

function methodDescriptor(method: MethodModel, source: Source): Printable {
  const { model, layout } = source;
  const { transport, payload } = method;
  if (transport.kind !== "json-rpc") throw new Error(`${method.name} does not travel as JSON-RPC 2.0`);
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
      member("parameters", arrayLiteral(parameters, { broken: parameters.length > 1 })),
      member("security", security(method)),
      member("validate", importedValidator("payloads", names.payload, layout)),
      isAnswered ? member("validateResult", importedValidator("results", names.result, layout)) : undefined,
      bigints(method, model),
      fillDefaults(fields, model),
      member("errors", methodErrors(method, source)),
    ],
    { broken: true },
  );
}

/** Defaults first: what the caller says replaces them. Each call has values of its own. */
function fillDefaults(fields: readonly FieldModel[], model: ServiceModel): Printable | undefined {
  const defaults = fields.flatMap(({ name, shape, default: preset }) =>
    preset === undefined ? [] : [member(name, jsonLiteral(withBigints(preset, shape, model)))],
  );
  if (defaults.length === 0) return undefined;
  return member("fillDefaults", ["(params: object) => (", objectLiteral([...defaults, "...params"]), ")"]);
}

/**
 * The constants that say where parameters are a `bigint`: of the types that they use, and of each payload that has no type
 * of its own, so that the compiler knows the type of every value.
 */
function bigintConstants(model: ServiceModel): readonly BigintConstant[] {
  const places = bigintPlaces(model);
  const payloads = model.methods.map(payloadShape).filter((shape) => shape !== undefined);
  const unnamed = model.methods.flatMap((method) => {
    const shape = payloadShape(method);
    const value = shape === undefined || shape.kind === "ref" ? undefined : places.of(shape);
    return value === undefined ? [] : [{ name: payloadConstant(method, model), value }];
  });
  return [...places.constantsOf(payloads), ...unnamed];
}

function payloadShape({ payload }: MethodModel): Shape | undefined {
  if (payload.kind !== "single") return undefined;
  return payload.type === undefined ? payload.shape : { kind: "ref", type: payload.type };
}

function payloadConstant(method: MethodModel, model: ServiceModel): string {
  return `_${interfaceNames(model).of(method).payload}`;
}

/** Where parameters are a `bigint`, and whether results have any. */
function bigints(method: MethodModel, model: ServiceModel): Printable | undefined {
  const { result } = method;
  const shape = payloadShape(method);
  const places = shape === undefined ? undefined : bigintPlaces(model).of(shape);
  const params = places === undefined || shape?.kind === "ref" ? places : payloadConstant(method, model);
  const hasResult = holdsBigint(model, result);
  if (params === undefined && !hasResult) return undefined;
  return member(
    "bigints",
    objectLiteral([
      params === undefined ? undefined : member("params", params),
      hasResult ? member("result", "true") : undefined,
    ]),
  );
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
  const broken = alternatives.length > 1 && method.security.every((alternative) => alternative.length > 1);
  return arrayLiteral(alternatives, { broken });
}

function schemes(model: ServiceModel): Printable {
  const members = model.schemes.map(({ name, kind, options }) =>
    member(name, jsonLiteral({ kind, ...options })),
  );
  return objectLiteral(members, { broken: members.length > 0 });
}

/** The errors of every method, then the method's own; one that the method words itself has that message here. */
function methodErrors(method: MethodModel, { model, wire, layout }: Source): Printable {
  const declared = new Map(namedErrors(model, wire).map((error) => [error.name, error]));
  const everyMethod = new Set(everyMethodNames(model, wire));
  const own = method.errors.flatMap(({ code, message }) => {
    const entry = catalogued(code, layout);
    if (declared.get(code)?.message !== message) {
      return [member(code, objectLiteral([["...", entry], member("message", stringLiteral(message))]))];
    }
    return everyMethod.has(code) ? [] : [member(code, entry)];
  });
  return own.length === 0
    ? "everyMethodErrors"
    : objectLiteral(["...everyMethodErrors", ...own], { broken: true });
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

function catalogued(name: string, layout: EmitLayout): Printable {
  return propertyOf(importedValue("errors", `${layout.out}/errors.ts`), name);
}

function importedValidator(kind: ValidatorKind, type: string, { out }: EmitLayout): Printable {
  return importedValue(validatorName(type), validatorModule(out, kind));
}
