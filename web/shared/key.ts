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
  const pair = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
  const der = new Uint8Array(await crypto.subtle.exportKey("spki", pair.publicKey));
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g) ?? [];
  return {
    privateKey: pair.privateKey,
    publicPem: `-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----\n`,
  };
}
