import type { MethodModel, SchemeModel } from "../../../model/service-model.ts";
import type { Dialect } from "../dialect.ts";

/** The authentication schemes as OpenAPI has them; what it has no word for is in `x-scheme`. */
export function securitySchemes(schemes: readonly SchemeModel[], dialect: Dialect) {
  return Object.fromEntries(
    schemes.map((scheme) => {
      const { name, kind, doc, options } = scheme;
      const description = doc === "" ? undefined : doc;
      return [
        name,
        { ...schemeObject(scheme, dialect), description, "x-scheme": { kind, ...options } },
      ] as const;
    }),
  );
}

function schemeObject({ kind, options }: SchemeModel, { version }: Dialect): object {
  const { header, format } = options;
  switch (kind) {
    case "basic":
      return { type: "http", scheme: "basic" };
    case "bearer":
      return {
        type: "http",
        scheme: "bearer",
        bearerFormat: typeof format === "string" ? format : undefined,
      };
    case "jwt":
      return { type: "http", scheme: "bearer", bearerFormat: "JWT" };
    case "message-signature":
      return { type: "apiKey", in: "header", name: "Signature" };
    case "client-cert":
      // 3.0 has no word for it.
      return version === "3.0.3" ? { type: "http", scheme: kind } : { type: "mutualTLS" };
    default:
      return typeof header === "string"
        ? { type: "apiKey", in: "header", name: header }
        : { type: "http", scheme: kind };
  }
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
