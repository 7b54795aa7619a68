import { signedEnvelope } from "../../../../conformance/request/schemes/signed-envelope.ts";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { payloadNames } from "../../../model/events.ts";
import { methodsAsTried } from "../../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import type { Printable } from "../../../print/layout.ts";
import { arrayLiteral, jsonLiteral, member, objectLiteral, stringLiteral } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { validatorName } from "../../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../../../targets/emitter.ts";
import { shapeNames, type ShapeNames } from "../../../targets/shapes/shape-names.ts";
import type { ServedErrors, ValidatorModules } from "../../protocol.ts";
import { everyMethodErrors, methodErrors } from "../../../targets/errors/errors-module.ts";
import { signedTransport, wireOf } from "../wire.ts";

/** Inputs shared by the functions below. */
interface Source {
  readonly model: ServiceModel;
  readonly layout: EmitLayout;
  readonly modules: ValidatorModules;
  readonly errors: ServedErrors;
}

/** `methods.ts` in the output folder of a layout. */
export function methodsModule(source: Source): FileDraft {
  const { model, layout, errors } = source;
  const path = `${layout.out}/methods.ts`;
  const name = `${interfaceNames(model).value}Interface`;
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: [name, "everyMethodErrors"],
    body: [
      ...(model.methods.length === 0 ? [] : [everyMethodErrors(errors, layout)]),
      interfaceDescriptor(name, source),
    ],
  });
  return { path, ownership: "owned", text };
}

function interfaceDescriptor(name: string, source: Source): Printable {
  const { model, layout } = source;
  const shapes = shapeNames(model);
  const methods = methodsAsTried(model).map((method) =>
    member(method.name, methodDescriptor(method, shapes, source)),
  );
  const descriptor = objectLiteral(
    [
      member("protocol", stringLiteral("signed-envelope")),
      member("name", stringLiteral(model.name)),
      member("revision", stringLiteral(model.revision)),
      member("path", stringLiteral(model.path)),
      member("methods", objectLiteral(methods, { broken: methods.length > 0 })),
      importedValue("errors", `${layout.out}/errors.ts`),
      member("faults", objectLiteral(codeMembers(faultCodes(model)), { broken: true })),
      requestIdMember(model),
      eventMembersMember(model),
      payloadNamesMember(model),
      member("authScheme", stringLiteral(model.authScheme)),
      member("missingAuth", objectLiteral(codeMembers(missingAuthCodes(model)), { broken: true })),
    ],
    { broken: true },
  );
  const remarks = { ...model, doc: `${model.title}, as the pipeline sees it.` };
  const type = importedType("SignedInterfaceDescriptor", layout.contract);
  return [docComment(remarks), `export const ${name}: `, type, " = ", descriptor, ";"];
}

function requestIdMember(model: ServiceModel): Printable | undefined {
  const { requestId } = wireOf(model);
  return requestId && member("requestId", stringLiteral(requestId.pattern));
}

function eventMembersMember({ events }: ServiceModel): Printable | undefined {
  const listed = events.flatMap(({ name, members }) => {
    if (members === undefined) return [];
    const own = members.shape.fields.map((field) => {
      const { [field.name]: repeats } = members.repeats;
      const when = members.when?.[field.name];
      const constant = "const" in field.shape ? field.shape.const : undefined;
      return omitUndefined({
        name: field.name,
        repeats,
        const: repeats === undefined ? constant : undefined,
        when,
      });
    });
    return [[name, own] as const];
  });
  return listed.length === 0 ? undefined : member("eventMembers", jsonLiteral(Object.fromEntries(listed)));
}

function payloadNamesMember(model: ServiceModel): Printable | undefined {
  const names = payloadNames(model);
  return names && member("eventPayloadNames", jsonLiteral(names));
}

function methodDescriptor(
  method: MethodModel,
  shapes: ShapeNames,
  { model, layout, modules, errors }: Source,
): Printable {
  const shapesModule = `${layout.out}/shapes.ts`;
  const names = interfaceNames(model).of(method);
  const validator = validatorName(names.payload);
  const resultValidator = validatorName(names.result);
  const resultModule = modules.result?.(resultValidator);
  return objectLiteral(
    [
      member("name", stringLiteral(method.name)),
      member("section", stringLiteral(method.section ?? "")),
      member("effect", stringLiteral(method.effect)),
      method.path === undefined ? undefined : member("path", stringLiteral(method.path)),
      member("transport", transportLiteral(method)),
      member("payload", importedValue(shapes.payload(method), shapesModule)),
      member("result", importedValue(shapes.result(method), shapesModule)),
      member("validate", importedValue(validator, modules.payload(validator))),
      resultModule === undefined
        ? undefined
        : member("validateResult", importedValue(resultValidator, resultModule)),
      member("errors", methodErrors(method, errors, layout)),
    ],
    { broken: true },
  );
}

function transportLiteral(method: MethodModel): Printable {
  const transport = signedTransport(method.transport);
  if (transport.kind === "flat") {
    return objectLiteral([
      member("kind", '"flat"'),
      member("selectedBy", arrayLiteral(transport.selectedBy.map(stringLiteral))),
      transport.only && member("only", jsonLiteral(transport.only)),
    ]);
  }
  return objectLiteral([
    member("kind", '"enveloped"'),
    member("auth", arrayLiteral(transport.auth.map(stringLiteral))),
    member("jsonrpc", String(transport.jsonrpc)),
    transport.nullError === true ? member("nullError", "true") : undefined,
    transport.requestId && member("requestId", stringLiteral(transport.requestId.pattern)),
  ]);
}

function codeMembers(codes: Readonly<Record<string, string>>): readonly (Printable | undefined)[] {
  return Object.entries(codes).map(([name, code]) => member(name, stringLiteral(code)));
}

/** The conditions of `Fault` in the runtime's contract, each with the one to fall back on. */
const faults = [
  "badInput",
  "unauthorized",
  "badCredential",
  "unknownKey",
  "invalidSignature",
  "conflict",
  "rateLimited",
  "unavailable",
  "internal",
] as const;

/** The code of every fault, in the contract's order. */
function faultCodes(model: ServiceModel): Readonly<Record<string, string>> {
  return Object.fromEntries(
    faults.flatMap((fault) => {
      const code = model.faults[fault];
      return code === undefined ? [] : [[fault, code]];
    }),
  );
}

/** The code answered when a `params.api` member is missing, for every member that the contract knows. */
export function missingAuthCodes(model: ServiceModel): Readonly<Record<string, string>> {
  const declared = new Map(model.auth.map((member) => [member.name, member.missing]));
  return Object.fromEntries(
    Object.entries(signedEnvelope.members).flatMap(([name, fault]) => {
      const code = declared.get(name) ?? model.faults[fault];
      return code === undefined ? [] : [[name, code]];
    }),
  );
}
