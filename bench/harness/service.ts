import type { ChildProcess } from "node:child_process";
import { sign } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "../../ledger/seed/index.ts";
import { requestBytes } from "./http-load.ts";
import { startNode, untilAnswers, type StartOptions } from "./processes.ts";

export const repository = join(import.meta.dirname, "../..");
/** The name of this project among the contestants. */
export const ownName = "ledger-rpc";

export interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly operatorUrl: string;
  readonly dataDir: string;
  readonly access: Access;
  readonly readyMs: number;
}

export interface ServiceOptions extends StartOptions {
  /** The checkout, or the package, whose service is started; this checkout unless given. */
  readonly checkout?: string;
}

/** Two programs of this folder may run at once. */
let nextPort = 18_080 + (process.pid % 400) * 20;

export function freePort(): number {
  return (nextPort += 1);
}

/** Starts the service with demo data, and waits until it is ready. */
export async function startService(dataDir: string, options: ServiceOptions = {}): Promise<Service> {
  const { checkout = repository, env = process.env, ...rest } = options;
  const startedAt = performance.now();
  const [port, operatorPort] = [freePort(), freePort()];
  const own = { PORT: String(port), OPERATOR_PORT: String(operatorPort), LEDGER_DATA_DIR: dataDir };
  const main = ["ledger/cli/main.js", "ledger/cli/main.ts"].find((file) => existsSync(join(checkout, file)));
  const program = ["--max-semi-space-size=8", main ?? "", "start"];
  const child = startNode(program, { cwd: checkout, env: { ...env, ...own }, ...rest });
  const origin = `http://127.0.0.1:${port}`;
  await untilAnswers(`${origin}/readyz`, child, (status) => status === 200);
  const readyMs = performance.now() - startedAt;
  const accessFile = join(dataDir, "access.json");
  while (!existsSync(accessFile)) await new Promise((wake) => setTimeout(wake, 5));
  const access: Access = JSON.parse(readFileSync(accessFile, "utf8"));
  const operatorUrl = `http://127.0.0.1:${operatorPort}/jsonrpc`;
  return { child, url: `${origin}/jsonrpc`, operatorUrl, dataDir, access, readyMs };
}

/** A signed call as the contract's section 1 asks for it: ECDSA P-256 with SHA-256 over the payload's text. */
export function signedRequest(access: Access, method: string, id: string, payload: object): Buffer {
  const { userName, apiKey, keyId, privateKeyPem } = access;
  const payloadText = JSON.stringify(payload);
  const signature = sign("sha256", Buffer.from(payloadText), privateKeyPem).toString("base64");
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  const api = JSON.stringify({ credential, apiKey, keyId, signature });
  return requestBytes(
    "/jsonrpc",
    `{"jsonrpc":"2.0","method":"${method}","id":"${id}","params":{"api":${api},"payload":${payloadText}}}`,
  );
}
