import type { Access } from "../../ledger/seed/index.ts";
import { samples } from "../../generated/ledger/client/examples.ts";

/** A piece of code that the front page shows. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** The pieces of TypeScript on a page: all of them run. */
export function snippetsOf(page: string): readonly Snippet[] {
  const blocks = page.matchAll(/```ts\n([\s\S]*?)```/g);
  return [...blocks].map(([, code = ""], at) => ({ name: `readme-${at + 1}.ts`, code }));
}

/** Definitions that the page has shown before a snippet. */
const givens: Readonly<Record<string, string>> = {
  LedgerClient: 'export { LedgerClient } from "ledger-client";',
  pem: 'export const pem = readFileSync("private-key.pem", "utf8");',
  keyId: 'export const keyId = "your-key-id";',
  baseUrl: 'export const baseUrl = "https://api.example.com";',
  credential: 'export const credential = { userName: "your-user", apiKey: "your-api-key" };',
  options: `export const options = {
    baseUrl: "https://api.example.com",
    credential: { userName: "your-user", apiKey: "your-api-key" },
    signer: { keyId, privateKey: pem },
  };`,
  client: "export const client = new Client(options);",
  cryptoKey:
    'export const cryptoKey = await crypto.subtle.importKey("pkcs8", der(), algorithm, false, ["sign"]);',
  jwk: 'export const jwk = createPrivateKey(pem).export({ format: "jwk" });',
  askTheHsm:
    'export const askTheHsm = async (bytes: Uint8Array) => createSign("sha256").update(bytes).sign(pem);',
};

/** The module of what the snippets take for granted. */
export const givensModule = [
  'import { createPrivateKey, createSign } from "node:crypto";',
  'import { readFileSync } from "node:fs";',
  'import { LedgerClient as Client } from "ledger-client";',
  'const algorithm = { name: "ECDSA", namedCurve: "P-256" };',
  'const der = () => createPrivateKey(pem).export({ type: "pkcs8", format: "der" });',
  ...Object.values(givens),
].join("\n");

/** A snippet as a program: with what it takes for granted, and the running service's values in place of the page's. */
export function programOf({ code }: Snippet): string {
  const isGiven = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(code) &&
    !new RegExp(`const ${name}\\b|import .*\\b${name}\\b.* from`).test(code);
  const names = Object.keys(givens).filter(isGiven);
  return names.length === 0 ? code : `import { ${names.join(", ")} } from "./givens.ts";\n${code}`;
}

/** Puts the running service's values in place of those that the page shows. */
export function withRealValues(text: string, access: Access, secret: string): string {
  const real = new Map(Object.entries(access.samples));
  const known = Object.entries(samples).flatMap(([name, shown]): [string, string][] => {
    const value = real.get(name);
    return value === undefined ? [] : [[shown, value]];
  });
  const replacements: readonly (readonly [string, string])[] = [
    ["https://api.example.com", access.baseUrl],
    ["your-user", access.userName],
    ["your-api-key", access.apiKey],
    ["your-key-id", access.keyId],
    ["whsec_your-secret", secret],
    // The pool account of the page's example.
    ["900000000000106", access.samples.accountNumber],
    ...known,
  ];
  return replacements.reduce((changed, [shown, value]) => changed.replaceAll(`"${shown}`, `"${value}`), text);
}
