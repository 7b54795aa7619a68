import { authorizationHeader, givenToken, newSecret, tokenVariable, type SchemeKind } from "./scheme.ts";

/** An opaque token (RFC 6750). */
export const bearer: SchemeKind = {
  kind: "bearer",
  required: [],
  optional: ["format"],
  hasScopes: true,
  header: authorizationHeader,
  access: {
    needed: ["token"],
    more: ["limited", "expired"],
    example: '{ "token": "…" }',
    made: () => ({ token: newSecret(), limited: newSecret(), expired: newSecret() }),
  },
  variable: tokenVariable,
  changes: () => ["malformed", "empty", "wrong", "expired"],
  credential(task) {
    const { plan, credential } = task;
    if (plan.change === "empty") return { authorization: "Bearer" };
    const token = givenToken(task, credential.token);
    return { authorization: `Bearer ${token}${plan.change === "malformed" ? " and more" : ""}` };
  },
  client: { type: "TokenCredential", value: "bearer", example: '() => "your-token"', fake: '"fake"' },
  page: { lines: () => ["Authorization: Bearer <token>"] },
  openApi: ({ format }) => ({
    type: "http",
    scheme: "bearer",
    bearerFormat: typeof format === "string" ? format : undefined,
  }),
};
