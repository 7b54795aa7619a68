import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { payloadNames } from "../../../model/events.ts";
import { methodsAsTried } from "../../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import type { Printable } from "../../../print/layout.ts";
import {
  arrayLiteral,
  jsonLiteral,
  member,
  objectLiteral,
  propertyOf,
  stringLiteral,
} from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { validatorName } from "../../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../../../targets/emitter.ts";
import { shapeNames, type ShapeNames } from "../../../targets/shapes/shape-names.ts";
import { faultCodes, missingAuthCodes } from "./fault-codes.ts";
import type { ValidatorModules } from "../../protocol.ts";
import { signedTransport, wireOf } from "../wire.ts";

/** `methods.ts` in the output folder of a layout. */
export function methodsModule(model: ServiceModel, layout: EmitLayout, modules: ValidatorModules): FileDraft {
  const path = `${layout.out}/methods.ts`;
  const name = `${interfaceNames(model).value}Interface`;
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: [name, "everyMethodErrors"],
    body: [
      ...(model.methods.length === 0 ? [] : [everyMethodErrors(model, layout)]),
      interfaceDescriptor(name, model, layout, modules),
    ],
  });
  return { path, ownership: "owned", text };
}

function everyMethodErrors(model: ServiceModel, layout: EmitLayout): Printable {
  const entries = model.errors
    .filter((error) => error.everyMethod)
    .map((error) => member(error.code, catalogued(error.code, layout)));
  return ["const everyMethodErrors = ", objectLiteral(entries, { broken: entries.length > 0 }), ";"];
}

function interfaceDescriptor(
  name: string,
  model: ServiceModel,
  layout: EmitLayout,
  modules: ValidatorModules,
): Printable {
  const shapes = shapeNames(model);
  const methods = methodsAsTried(model).map((method) =>
    member(method.name, methodDescriptor(method, model, layout, shapes, modules)),
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
  model: ServiceModel,
  layout: EmitLayout,
  shapes: ShapeNames,
  modules: ValidatorModules,
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
      member("errors", methodErrors(method, model, layout)),
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

/** The codes of every method, then the method's own; a code of the method's own words gets them here. */
function methodErrors(method: MethodModel, model: ServiceModel, layout: EmitLayout): Printable {
  const errorsByCode = new Map(model.errors.map((error) => [error.code, error]));
  const own = method.errors.map(({ code, message }) => {
    const known = errorsByCode.get(code);
    const entry = catalogued(code, layout);
    if (known === undefined || known.message !== message) {
      return member(code, objectLiteral([["...", entry], member("message", stringLiteral(message))]));
    }
    return known.everyMethod ? undefined : member(code, entry);
  });
  if (own.every((entry) => entry === undefined)) return "everyMethodErrors";
  return objectLiteral(["...everyMethodErrors", ...own], { broken: true });
}

function catalogued(code: string, layout: EmitLayout): Printable {
  return propertyOf(importedValue("errors", `${layout.out}/errors.ts`), code);
}

function codeMembers(codes: Readonly<Record<string, string>>): readonly (Printable | undefined)[] {
  return Object.entries(codes).map(([name, code]) => member(name, stringLiteral(code)));
}
