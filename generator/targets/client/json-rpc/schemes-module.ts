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

function credentialType({ kind }: SchemeModel, folder: string): Printable {
  const from = (name: string, file = "credentials") => importedType(name, `${folder}/${file}.ts`);
  switch (kind) {
    case "basic":
      return [from("Provided"), "<", from("BasicCredential"), ">"];
    case "bearer":
    case "jwt":
      return from("TokenCredential");
    case "api-key":
      return from("KeyCredential");
    case "hmac":
      return from("HmacCredential", "hmac");
    case "message-signature":
      return from("MessageSignatureCredential", "message-signature");
    case "client-cert":
      return from("CertificateCredential");
    default:
      return from("OwnCredential");
  }
}

function schemeValue({ name, kind, options }: SchemeModel, folder: string): Printable {
  const from = (value: string, file = "credentials") => importedValue(value, `${folder}/${file}.ts`);
  const text = (key: string) => stringLiteral(String(options[key] ?? ""));
  const covered: unknown = options["covers"] ?? ["@method", "@path", "content-digest"];
  const covers = arrayLiteral(
    (Array.isArray(covered) ? covered : []).map((part) => stringLiteral(String(part))),
  );
  switch (kind) {
    case "basic":
      return from("basic");
    case "bearer":
    case "jwt":
      return from("bearer");
    case "api-key":
      return [from("apiKey"), "(", text("header"), ")"];
    case "hmac":
      return [from("hmac", "hmac"), "(", text("header"), ", ", covers, ")"];
    case "message-signature": {
      const tag = options["tag"] === undefined ? [] : [", ", text("tag")];
      return [from("messageSignature", "message-signature"), "(", covers, ...tag, ")"];
    }
    case "client-cert":
      return from("clientCertificate");
    default:
      return [from("ownScheme"), "(", stringLiteral(String(options["header"] ?? `${kind} ${name}`)), ")"];
  }
}
