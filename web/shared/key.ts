/** A private key that a page may use and no script may read. */
export type PageKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/** The use of a key, as WebCrypto and as people say it. */
export interface KeyKind {
  readonly algorithm: Parameters<typeof crypto.subtle.importKey>[2];
  readonly words: string;
}

const p256: KeyKind = { algorithm, words: "on the curve P-256" };

/** Takes the text of a PKCS#8 PEM. Throws an `Error` that says what to do for anything else. */
export async function keyFromPem(text: string, kind: KeyKind = p256): Promise<PageKey> {
  const block = /-----BEGIN ([A-Z ]+)-----([^-]+)-----END \1-----/.exec(text);
  const [, label, base64] = block ?? [];
  if (label === undefined || base64 === undefined)
    throw new Error("This is no PEM: it begins with -----BEGIN PRIVATE KEY-----.");
  if (label !== "PRIVATE KEY")
    throw new Error(`This is a PEM of ${label}. Convert it: openssl pkey -in old.pem -out new.pem`);
  try {
    const der = Uint8Array.from(atob(base64.replaceAll(/\s/g, "")), (character) => character.charCodeAt(0));
    return await crypto.subtle.importKey("pkcs8", der, kind.algorithm, false, ["sign"]);
  } catch (error) {
    throw new Error(`This PEM holds no private key ${kind.words}.`, { cause: error });
  }
}

/** Makes a pair; the public half as PEM, for the service. */
export async function generateKey(): Promise<{ readonly privateKey: PageKey; readonly publicPem: string }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
  return { privateKey, publicPem: pemOf("PUBLIC KEY", await crypto.subtle.exportKey("spki", publicKey)) };
}

/** A pair whose private half leaves the page once, in a file that its owner keeps. */
export interface PortableKey {
  readonly privateKey: PageKey;
  readonly privatePem: string;
  readonly publicPem: string;
}

/** Makes a pair to be kept elsewhere. The key that the page goes on with is one that no script can read. */
export async function generatePortableKey(): Promise<PortableKey> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const privatePem = pemOf("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  const publicPem = pemOf("PUBLIC KEY", await crypto.subtle.exportKey("spki", pair.publicKey));
  return { privateKey: await keyFromPem(privatePem), privatePem, publicPem };
}

/** The signature of a text in base64: ECDSA with SHA-256, both numbers one after the other. */
export async function signedText(privateKey: PageKey, text: string): Promise<string> {
  const hashed = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(hashed, privateKey, new TextEncoder().encode(text));
  return base64Of(signature);
}

function pemOf(label: string, der: ArrayBuffer): string {
  const lines = base64Of(der).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

function base64Of(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
