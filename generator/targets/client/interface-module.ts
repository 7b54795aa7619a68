import { requestIdOf } from "../../model/index.ts";
import type { RequestIdModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import type { Printable } from "../../print/layout.ts";
import { arrayLiteral, jsonLiteral, stringLiteral } from "../../print/literals.ts";
import { importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import type { ClientNames } from "./names.ts";
import { packageName } from "./readme.ts";
import { temporaryCodes } from "./temporary-codes.ts";

/** `interface.ts`: what the fixed modules read of the interface. `templates/client/signed-envelope/interface.ts` stands in for it. */
export function interfaceModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const constants: readonly (readonly [doc: string, name: string, value: Printable])[] = [
    ["Path of the endpoint, appended to the base URL.", "path", stringLiteral(model.path)],
    ["The interface's revision, which every request names.", "revision", stringLiteral(model.revision)],
    [
      "Codes with which the service asks the caller to try again later.",
      "temporaryCodes: readonly string[]",
      arrayLiteral(temporaryCodes(model).map(stringLiteral)),
    ],
    ["The `name` of errors that the service answers with.", "errorName", stringLiteral(names.error)],
    [
      "Name of the member that marks the errors of this package.",
      "errorMark",
      stringLiteral(packageName(model)),
    ],
  ];
  const codes = model.errors.map((error) => stringLiteral(error.code));
  return printModule({
    path: `${folder}/interface.ts`,
    preamble: preamble(model),
    declares: [],
    body: [
      [docComment({ doc: "Reads the body of an answer." }), parseBody(model, folder)],
      ...newId(model, folder),
      ...constants.map(([doc, name, value]) => [docComment({ doc }), `export const ${name} = `, value, ";"]),
      unionDeclaration("ErrorCode", { doc: "Every code of the interface." }, codes),
    ],
  });
}

/** How a request is given its id: with one of the pattern of its method or of the interface, if there is one. */
function newId(model: ServiceModel, folder: string): readonly Printable[] {
  const usual = requestIdOf(model);
  const own = model.methods.flatMap(({ name, transport }) =>
    transport.kind === "enveloped" && transport.requestId !== undefined
      ? [arrayLiteral([stringLiteral(name), drawnIds(transport.requestId, folder)])]
      : [],
  );
  const drawn = usual && ["/* @__PURE__ */ ", drawnIds(usual, folder)];
  const comment = docComment({ doc: "Makes the id of a request of a method." });
  const parameter = "_method: { readonly name: string }";
  if (own.length === 0 && drawn === undefined)
    return [[comment, `export const newId = (${parameter}): string => crypto.randomUUID();`]];
  const made = ["const usualId = ", drawn ?? "(): string => crypto.randomUUID()", ";"];
  if (own.length === 0) return [made, [comment, `export const newId = (${parameter}): string => usualId();`]];
  return [
    made,
    ["const ownIds = /* @__PURE__ */ new Map([", ...own.flatMap((each) => [each, ", "]), "]);"],
    [
      comment,
      "export const newId = ({ name }: { readonly name: string }): string => (ownIds.get(name) ?? usualId)();",
    ],
  ];
}

/** The call that makes a function which draws ids. */
function drawnIds(ids: RequestIdModel, folder: string): Printable {
  const parts = ids.parts.map(({ characters, most }) =>
    arrayLiteral([stringLiteral(characters), String(most)]),
  );
  return [
    importedValue("drawnIds", `${folder}/request-ids.ts`),
    "(",
    ...parts.flatMap((part) => [part, ", "]),
    ")",
  ];
}

/** How the body of an answer is read: with names for the codes that are numbers on the wire. */
function parseBody({ errors }: ServiceModel, folder: string): Printable {
  const json = `${folder}/json.ts`;
  const names = errors.flatMap(({ code, wireCode }) =>
    wireCode === undefined ? [] : [[JSON.stringify(wireCode), code]],
  );
  if (names.length === 0) {
    const parse = importedValue("parseJson", json);
    return ["export const parseBody: typeof ", parse, " = ", parse, ";"];
  }
  const call = [importedValue("namedCodes", json), "(", jsonLiteral(Object.fromEntries(names)), ")"];
  return [
    "export const parseBody: typeof ",
    importedValue("parseJson", json),
    " = /* @__PURE__ */ ",
    ...call,
    ";",
  ];
}
