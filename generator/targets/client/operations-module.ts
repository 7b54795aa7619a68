import { payloadShapes } from "../../model/resolve.ts";
import { shapeParts } from "../../language/shape-parts.ts";
import { resolve } from "../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { bracketed, type Printable } from "../../print/layout.ts";
import { arrayLiteral, stringLiteral } from "../../print/literals.ts";
import { importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { operationDeclaration } from "./operation-declaration.ts";

/** `operations.ts`: every method as a function of its own, so that a bundle holds only those that are called. */
export function operationsModule(model: ServiceModel, folder: string): string {
  const envelopes = envelopesOf(model);
  return printModule({
    path: `${folder}/operations.ts`,
    preamble: preamble(model),
    declares: [...envelopes.values(), ...model.methods.map((method) => method.names.value)],
    body: [
      ...[...envelopes].map(([members, name]) => [
        `const ${name} = /* @__PURE__ */ `,
        importedValue("enveloped", `${folder}/method.ts`),
        bracketed("(", ")", members === "" ? [] : members.split(" ").map(stringLiteral)),
        ";",
      ]),
      ...model.methods.map((method) => operationConstant(method, model, envelopes, folder)),
    ],
  });
}

/** The distinct lists of members of `params.api`, each with the name of the constant that makes such envelopes. */
function envelopesOf(model: ServiceModel): ReadonlyMap<string, string> {
  const lists = model.methods.flatMap(({ transport }) =>
    transport.kind === "enveloped" ? [transport.auth.join(" ")] : [],
  );
  return new Map(
    [...new Set(lists)].map((list, at) => [list, at === 0 ? "_envelope" : `_envelope${at + 1}`]),
  );
}

function operationConstant(
  method: MethodModel,
  model: ServiceModel,
  envelopes: ReadonlyMap<string, string>,
  folder: string,
): Printable {
  const { transport } = method;
  const sensitive = sensitiveNames(method, model);
  const shared =
    transport.kind === "enveloped"
      ? (envelopes.get(transport.auth.join(" ")) ?? "")
      : importedValue("flat", `${folder}/method.ts`);
  const args = [
    stringLiteral(method.name),
    method.path === undefined ? shared : ["{ ...", shared, `, path: ${stringLiteral(method.path)} }`],
    ...(sensitive.length === 0 ? [] : [arrayLiteral(sensitive.map((name) => stringLiteral(name)))]),
  ];
  return operationDeclaration(method, model, folder, bracketed("(", ")", args));
}

/** Every name under which the payload, the result or an error may hold a sensitive value, at any depth. */
export function sensitiveNames(method: MethodModel, model: ServiceModel): readonly string[] {
  const names = new Set<string>();
  const data = model.errors.flatMap((error) => (error.data === undefined ? [] : [error.data]));
  const reached = new Set(
    [...payloadShapes(method.payload), method.result, ...data].map((shape) => resolve(model, shape)),
  );
  // The set grows while it is walked.
  for (const shape of reached) {
    if (shape.kind === "object") {
      for (const field of shape.fields.filter(({ sensitive }) => sensitive)) {
        for (const name of [field.name, field.alsoSentAs ?? field.name]) names.add(name);
      }
    }
    for (const part of shapeParts(shape)) reached.add(resolve(model, part));
  }
  return [...names].toSorted();
}
