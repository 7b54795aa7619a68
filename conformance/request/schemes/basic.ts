import {
  alteredText,
  authorizationHeader,
  newSecret,
  type CredentialHeaders,
  type CredentialTask,
  type SchemeKind,
} from "./scheme.ts";

/** User name and password (RFC 7617). */
export const basic: SchemeKind = {
  kind: "basic",
  required: [],
  optional: [],
  hasScopes: false,
  header: authorizationHeader,
  access: {
    needed: ["user", "password"],
    more: [],
    example: '{ "user": "…", "password": "…" }',
    made: () => ({ user: "mock", password: newSecret() }),
  },
  variable: {
    header: () => "Authorization",
    before: "Basic ",
    value: ({ user, password = "" }) => (user === undefined ? "" : base64(`${user}:${password}`)),
  },
  changes: () => ["malformed", "empty", "wrong", "unknown-key"],
  credential,
  client: {
    type: "BasicCredential",
    isProvided: true,
    value: "basic",
    example: '{ userName: "your-name", password: "your-password" }',
    fake: '{ userName: "fake", password: "fake" }',
  },
  page: { lines: () => ["Authorization: Basic <base64 of name:password>"] },
  openApi: () => ({ type: "http", scheme: "basic" }),
};

/** `Authorization: Basic` (RFC 7617), in UTF-8. */
function credential({ plan, credential: given }: CredentialTask): CredentialHeaders {
  const { user = "", password = "" } = given;
  switch (plan.change) {
    case "malformed":
      return { authorization: `Basic ${user}:${password}` };
    case "empty":
      return { authorization: "Basic" };
    case "unknown-key":
      return { authorization: encoded(`${alteredText(user)}x`, password) };
    case "wrong":
    case "stranger":
      return { authorization: encoded(user, alteredText(password)) };
    default:
      return { authorization: encoded(user, password) };
  }
}

function encoded(user: string, password: string): string {
  return `Basic ${base64(`${user}:${password}`)}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
