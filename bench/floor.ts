/**
 * The least that a signed call can cost, in two parts that are measured apart and added up.
 *
 *     node bench/floor.ts serve <port> <file>        bare `node:http`: takes a body, answers the file's text
 *     node bench/floor.ts verify <key file> <count>  prints the CPU µs of one `crypto.verify` with a cached key
 */
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [mode, first = "", second = ""] = process.argv.slice(2);
if (mode === "serve") serve(Number(first), readFileSync(second, "utf8"));
else console.log(verificationUs(readFileSync(first, "utf8"), Number(second)));

function serve(port: number, answer: string): void {
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(answer) };
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      response.writeHead(body.length > 0 ? 200 : 400, headers);
      response.end(answer);
    });
  }).listen(port, "127.0.0.1");
}

function verificationUs(privateKeyPem: string, count: number): number {
  const privateKey = createPrivateKey(privateKeyPem);
  const key = createPublicKey(privateKey);
  const signed = Array.from({ length: count }, (_, n) => {
    const bytes = Buffer.from(JSON.stringify({ ID: "01JD0000000000000000000000", trace: `call ${n}` }));
    return { bytes, signature: sign("sha256", bytes, privateKey) };
  });
  for (const { bytes, signature } of signed) verify("sha256", bytes, key, signature);
  const before = process.cpuUsage();
  for (const { bytes, signature } of signed) {
    if (!verify("sha256", bytes, key, signature)) throw new Error("a signature that does not verify");
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
