import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";

// Makes a caller: node src/new-caller.ts ann
const name = process.argv[2] ?? "";
if (!/^[a-z][a-z0-9-]{0,63}$/.test(name))
  throw new Error("Name the caller, in lower-case letters: npm run caller ann");
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" });
const access = { credentials: { caller: { keyId: name, privateKeyPem } } };
mkdirSync("callers", { recursive: true });
// The service keeps the public half; the private one is the caller's.
writeFileSync(`callers/${name}.pem`, publicKey.export({ type: "spki", format: "pem" }), { flag: "wx" });
writeFileSync(`access-${name}.json`, `${JSON.stringify(access, undefined, 2)}\n`, {
  flag: "wx",
  mode: 0o600,
});
console.log(`callers/${name}.pem is for the service, access-${name}.json for the caller`);
