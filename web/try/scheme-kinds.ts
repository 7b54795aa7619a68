import { textOf } from "../shared/json.ts";
import {
  algorithmOf,
  isSymmetric,
  keyFromSecret,
  signFunction,
  signWith,
  signedToken,
} from "./algorithms.ts";
import {
  algorithmIn,
  algorithmsOf,
  claimsIn,
  headersIn,
  signerOf,
  type CredentialField,
  type Filled,
} from "./credentials.ts";
import type { DescribedScheme } from "./tried.ts";
import { type SentRequest, quoted } from "./request-text.ts";
import { hmacPart, jwtPart, messageSignaturePart, type ShellPart, type Shown } from "./shell.ts";

/** A kind of authentication schemes on the page. */
interface SchemeKind {
  /** What the page asks for. */
  fields(scheme: DescribedScheme): readonly CredentialField[];
  /** A credential as the generated client takes it; undefined where nothing was filled in. */
  credential(scheme: DescribedScheme, filled: Filled, scopes: readonly string[]): Promise<unknown>;
  /** How a shell says who calls, with curl and openssl. Secrets come from the environment, keys from files. */
  shell(scheme: DescribedScheme, shown: Shown, sent: SentRequest): ShellPart;
  /** The credential in TypeScript, from the environment. */
  program(shown: Shown): string;
}

/** The kind of a scheme; one of the project's own is any headers. */
export function kindOf({ kind }: DescribedScheme): SchemeKind {
  return (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? ownKind;
}

const keyId: CredentialField = { name: "keyId", label: "Key identifier", input: "text" };
const pem: CredentialField = { name: "privateKeyPem", label: "Private key (PEM)", input: "area" };
const secret: CredentialField = { name: "secret", label: "Secret", input: "secret" };

function algorithmField(scheme: DescribedScheme): readonly CredentialField[] {
  const choices = algorithmsOf(scheme);
  return choices.length > 1 ? [{ name: "algorithm", label: "Algorithm", input: "choice", choices }] : [];
}

function keyField(scheme: DescribedScheme): CredentialField {
  return algorithmsOf(scheme).some((name) => isSymmetric(name)) ? secret : pem;
}

function filledIn(text = ""): string | undefined {
  return text === "" ? undefined : text;
}

const basic: SchemeKind = {
  fields: () => [
    { name: "user", label: "User name", input: "text" },
    { name: "password", label: "Password", input: "secret" },
  ],
  credential: async (_scheme, { user = "", password = "" }) =>
    user === "" ? undefined : { userName: user, password },
  shell: (_scheme, { user = "" }) => ({ before: [], options: [`-u ${quoted(`${user}:`)}"$PASSWORD"`] }),
  program: ({ user = "" }) => `{ userName: ${JSON.stringify(user)}, password: process.env.PASSWORD ?? "" }`,
};

const bearer: SchemeKind = {
  fields: () => [{ name: "token", label: "Token", input: "secret" }],
  credential: async (_scheme, { token }) => filledIn(token),
  shell: () => ({ before: [], options: ['-H "Authorization: Bearer $TOKEN"'] }),
  program: () => `process.env.TOKEN ?? ""`,
};

const jwt: SchemeKind = {
  fields(scheme) {
    const key = keyField(scheme);
    return [
      {
        name: "token",
        label: "Token",
        input: "secret",
        hint: "As the issuer gave it; or a key of the issuer:",
      },
      ...algorithmField(scheme),
      { ...keyId, label: "Key identifier of the issuer" },
      {
        ...key,
        label: `${key.label} of the issuer`,
        hint: "The page makes a token with it for each request.",
      },
      { name: "claims", label: "Further claims (JSON)", input: "area", hint: 'Such as {"sub":"ann"}.' },
    ];
  },
  async credential(scheme, filled, scopes) {
    if (filledIn(filled["token"]) !== undefined) return filled["token"];
    const sign = await signerOf(scheme, filled);
    if (sign === undefined) return undefined;
    const claims = claimsIn(filled["claims"] ?? "");
    const facts = { scheme, algorithm: algorithmIn(scheme, filled), keyId: filled["keyId"] ?? "" };
    return () => signedToken({ ...facts, scopes, claims }, sign);
  },
  shell: jwtPart,
  program: bearer.program,
};

const apiKey: SchemeKind = {
  fields: (scheme) => [{ name: "key", label: `Key, sent in ${textOf(scheme["header"])}`, input: "secret" }],
  credential: async (_scheme, { key }) => filledIn(key),
  shell: (scheme) => ({
    before: [],
    options: [`-H ${quoted(`${textOf(scheme["header"])}: `)}"$API_KEY"`],
  }),
  program: () => `process.env.API_KEY ?? ""`,
};

const hmac: SchemeKind = {
  fields: () => [keyId, secret],
  async credential(_scheme, filled) {
    const id = filledIn(filled["keyId"]);
    const text = filledIn(filled["secret"]);
    if (id === undefined || text === undefined) return undefined;
    const algorithm = algorithmOf("hmac-sha256");
    return { keyId: id, mac: signWith(await keyFromSecret(text, algorithm), algorithm) };
  },
  shell: hmacPart,
  program: (shown) =>
    `{ keyId: ${JSON.stringify(shown["keyId"] ?? "")}, secret: process.env.SIGNING_SECRET ?? "" }`,
};

const messageSignature: SchemeKind = {
  fields: (scheme) => [...algorithmField(scheme), keyId, keyField(scheme)],
  async credential(scheme, filled) {
    const sign = await signerOf(scheme, filled);
    return sign === undefined ? undefined : { keyId: filled["keyId"] ?? "", sign };
  },
  shell: messageSignaturePart,
  program({ keyId: id = "", algorithm = "" }) {
    const key =
      algorithm === "ecdsa-p256-sha256"
        ? `privateKey: process.env.PRIVATE_KEY_PEM ?? ""`
        : `sign: ${signFunction(algorithm)}`;
    return `{ keyId: ${JSON.stringify(id)}, ${key} }`;
  },
};

const clientCert: SchemeKind = {
  fields: () => [
    {
      name: "certificate",
      label: "My browser presents a certificate",
      input: "check",
      hint: "A page cannot choose a certificate: the browser asks for one where the TLS connection wants it. To call with one by hand, show the request, and take it as curl.",
    },
  ],
  credential: async (_scheme, { certificate }) => (certificate === "true" ? true : undefined),
  shell: () => ({
    before: [
      "# Over TLS curl presents the certificate itself. Straight to a service behind a proxy that ends TLS, or to a mock:",
      `# -H "Client-Cert: :$(openssl x509 -in client.pem -outform DER | openssl base64 -A):"`,
    ],
    options: ["--cert client.pem --key client.key"],
  }),
  program: () => "true",
};

const ownKind: SchemeKind = {
  fields: ({ kind }) => [
    {
      name: "headers",
      label: "Headers, a line each",
      input: "area",
      hint: `The scheme ${kind} is the project's own. Write what it sends, such as X-Mine: value.`,
    },
  ],
  async credential(_scheme, filled) {
    const headers = headersIn(filled["headers"] ?? "");
    return Object.keys(headers).length === 0 ? undefined : () => headers;
  },
  shell: (_scheme, shown) => ({
    before: [],
    options: namesIn(shown).map((name) => `-H ${quoted(`${name}: `)}"$CREDENTIAL"`),
  }),
  program: (shown) =>
    `async () => ({ ${namesIn(shown)
      .map((name) => `${JSON.stringify(name)}: process.env.CREDENTIAL ?? ""`)
      .join(", ")} })`,
};

function namesIn({ headers = "" }: Shown): readonly string[] {
  return headers.split(" ").filter((name) => name !== "");
}

const kinds: Readonly<Record<string, SchemeKind>> = {
  basic,
  bearer,
  jwt,
  "api-key": apiKey,
  hmac,
  "message-signature": messageSignature,
  "client-cert": clientCert,
};
