/**
 * The floor for bench/accounts.ts: bare `node:http` that verifies each signature and answers. A thread with the
 * priority of reader threads computes for each list, as long as a list takes in a small bank.
 *
 *     node bench/accounts/ideal.ts <port> <file of the public key> <threads>
 */
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { getPriority, setPriority } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const nicenessAdded = 5;
const listMs = 3;
/** As many bytes as an account, and as a page of fifteen. */
const accountText = JSON.stringify({ result: { account: "x".repeat(700) } });
const pageText = JSON.stringify({ result: { accounts: "x".repeat(9_000) } });

if (isMainThread) serve(Number(process.argv[2]), process.argv[3] ?? "", Number(process.argv[4]));
else answerLists();

function serve(port: number, keyFile: string, threads: number): void {
  const key = createPublicKey(readFileSync(keyFile, "utf8"));
  const waiting = new Map<number, (text: string) => void>();
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url)));
  for (const worker of workers) {
    worker.on("message", ({ id, text }) => {
      waiting.get(id)?.(text);
      waiting.delete(id);
    });
  }
  let asked = 0;
  const answerTo = async (request: IncomingMessage): Promise<string> => {
    const body = await bodyOf(request);
    if (request.url !== "/jsonrpc") return accountText;
    const { method, params } = JSON.parse(body);
    const signature = Buffer.from(params.api.signature, "base64");
    if (!verify("sha256", Buffer.from(JSON.stringify(params.payload)), key, signature))
      throw new Error("a signature that does not verify");
    if (!method.endsWith("ListAccounts")) return accountText;
    asked += 1;
    workers[asked % threads]?.postMessage(asked);
    return new Promise((resolve) => waiting.set(asked, resolve));
  };
  createServer((request, response) => {
    void (async () => response.end(await answerTo(request)))();
  }).listen(port, "127.0.0.1");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function answerLists(): void {
  // On Linux this is the thread's own priority.
  if (process.platform === "linux") setPriority(Math.min(getPriority() + nicenessAdded, 19));
  parentPort?.on("message", (id: number) => {
    const endsAt = performance.now() + listMs;
    while (performance.now() < endsAt);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, text: pageText });
  });
}
