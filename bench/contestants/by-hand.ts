/**
 * The least that a program on `node:http` can do for a signed GetAccount: no schema, no framework, and nothing refused but a
 * wrong caller. No goal: it shows how much of the distance to the floor is the work itself.
 */
import { createServer } from "node:http";
import { contestant, logged, type Params } from "./ledger.ts";

const { port, logger, isAllowed, account } = contestant();

function answerTo(body: string): object {
  const { id, params }: { readonly id: string; readonly params: Params } = JSON.parse(body);
  if (!isAllowed(params)) return { jsonrpc: "2.0", id, error: { code: "UNAUTHORIZED" } };
  return { jsonrpc: "2.0", id, result: { account: account(params.payload.ID) } };
}

createServer((request, response) => {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const answer = JSON.stringify(logged(logger, () => answerTo(Buffer.concat(chunks).toString())));
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(answer) };
    response.writeHead(200, headers).end(answer);
  });
}).listen(port, "127.0.0.1");
