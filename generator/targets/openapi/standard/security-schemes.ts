import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import type { MethodModel, SchemeModel } from "../../../model/service-model.ts";
import type { Dialect } from "../dialect.ts";

/** The authentication schemes as OpenAPI has them; what it has no word for is in `x-scheme`. */
export function securitySchemes(schemes: readonly SchemeModel[], dialect: Dialect) {
  return Object.fromEntries(
    schemes.map((scheme) => {
      const { name, kind, doc, options } = scheme;
      const described = schemeKindOf(kind)?.openApi(options, dialect.version);
      const description = doc === "" ? undefined : doc;
      return [name, { ...described, description, "x-scheme": { kind, ...options } }] as const;
    }),
  );
}

/** Headers beside the one of `securitySchemes`: a message signature (RFC 9421) says what it covers. */
export function headerParameters(methods: readonly MethodModel[], schemes: readonly SchemeModel[]) {
  const used = new Set(methods.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  const signs = schemes.some(({ name, kind }) => kind === "message-signature" && used.has(name));
  if (!signs) return [];
  return [
    { name: "Signature-Input", description: "What the signature covers (RFC 9421)." },
    { name: "Content-Digest", description: "The digest of the body (RFC 9530)." },
  ].map((header) => ({ ...header, in: "header", required: false, schema: { type: "string" } }));
}
