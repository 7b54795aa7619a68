/** The keys of a spec for one kind of authentication scheme. Keys, secrets and addresses are options of the runtime. */
export interface SchemeKind {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Whether its credentials say what a caller may do, so that `security` may ask for scopes. */
  readonly hasScopes: boolean;
  /** Values of `algorithms`, in groups of which a scheme uses one: keys of two groups are never the same key. */
  readonly algorithms?: readonly (readonly string[])[];
  /** The components that a signature may cover, and those that it must cover. */
  readonly covers?: { readonly known: readonly string[]; readonly required: readonly string[] };
}

const secretAlgorithms = ["HS256", "HS384", "HS512"];
const publicKeyAlgorithms = "ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512".split(" ");

/** The kinds that the language knows. A kind of one's own is `x-<name>`, with any options. */
export const schemeKinds: Readonly<Record<string, SchemeKind>> = {
  basic: { required: [], optional: [], hasScopes: false },
  bearer: { required: [], optional: ["format"], hasScopes: true },
  jwt: {
    required: ["algorithms"],
    optional: ["issuer", "audience", "window", "leeway", "type", "claims"],
    hasScopes: true,
    algorithms: [secretAlgorithms, publicKeyAlgorithms],
  },
  "api-key": { required: ["header"], optional: [], hasScopes: true },
  hmac: {
    required: ["header", "covers"],
    optional: ["window"],
    hasScopes: false,
    covers: { known: ["timestamp", "nonce", "method", "path", "body"], required: ["timestamp", "body"] },
  },
  "message-signature": {
    required: ["algorithms"],
    optional: ["covers", "window", "tag"],
    hasScopes: false,
    algorithms: [
      ["hmac-sha256"],
      ["ecdsa-p256-sha256", "ecdsa-p384-sha384", "ed25519", "rsa-pss-sha512", "rsa-v1_5-sha256"],
    ],
    covers: {
      known: ["@method", "@path", "@query", "@target-uri", "@authority", "content-digest", "content-type"],
      required: ["@method", "@path", "content-digest"],
    },
  },
  "client-cert": { required: [], optional: ["header"], hasScopes: false },
};

export function isOwnKind(kind: string): boolean {
  return /^x-[a-z][a-z0-9-]*$/.test(kind);
}

/** The kind as the language knows it; a kind of one's own may have scopes. Nothing for an unknown one. */
export function schemeKindOf(kind: string): SchemeKind | undefined {
  if (isOwnKind(kind)) return { required: [], optional: [], hasScopes: true };
  return Object.hasOwn(schemeKinds, kind) ? schemeKinds[kind] : undefined;
}

/** The header that carries the credentials of a scheme, in lower case: two in one header cannot both be sent. */
export function credentialHeader(kind: string, header: string | undefined): string | undefined {
  switch (kind) {
    case "basic":
    case "bearer":
    case "jwt":
      return "authorization";
    case "message-signature":
      return "signature";
    case "client-cert":
      return (header ?? "Client-Cert").toLowerCase();
    default:
      return header?.toLowerCase();
  }
}
