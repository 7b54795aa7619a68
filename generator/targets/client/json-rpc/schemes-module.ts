import { schemeKindOf, type SchemeKind } from "../../../../conformance/request/schemes/index.ts";
import type { SchemeModel, ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { braces, type Printable } from "../../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, propertyName, stringLiteral } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { StandardNames } from "./names.ts";

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
        importedType("Scheme", `${folder}/credentials.ts`),
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
  return [importedType("Provided", `${folder}/credentials.ts`), "<", printed, ">"];
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
