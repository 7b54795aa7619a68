/**
 * The work of every contestant for a signed GetAccount. It checks envelope and payload by Ajv, the caller and the
 * signature by cached keys, and reads the account from SQLite. None replays answers, keeps nonces, limits rates, has
 * deadlines or sheds load (D-10 and its like), which the ledger service does.
 *
 *     node bench/contestants/<name>.ts <port> <folder> [--log]
 *
 * The folder holds `access.json` (the demo caller) and `account.json` (the answer to give).
 */
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Ajv } from "ajv";
import { pino, type Logger } from "pino";
import type { Access } from "../../ledger/seed/index.ts";

export const methodName = "AccountService.GetAccount";

export interface Params {
  readonly api: { readonly credential: string; readonly keyId: string; readonly signature: string };
  readonly payload: { readonly ID: string };
}

export const paramsSchema = {
  type: "object",
  required: ["api", "payload"],
  properties: {
    api: {
      type: "object",
      required: ["credential", "keyId", "signature"],
      properties: {
        credential: { type: "string" },
        keyId: { type: "string" },
        signature: { type: "string" },
      },
    },
    payload: { type: "object", required: ["ID"], properties: { ID: { type: "string", minLength: 1 } } },
  },
} as const;

export const requestSchema = {
  type: "object",
  required: ["method", "id", "params"],
  properties: {
    jsonrpc: { const: "2.0" },
    method: { const: methodName },
    id: { type: "string" },
    params: paramsSchema,
  },
} as const;

export interface Contestant {
  readonly port: number;
  /** One line a call, with its method and its time; where the contest asks for it. */
  readonly logger: Logger | undefined;
  /** Whether the caller may: their credential, their key, their signature. */
  isAllowed(params: Params): boolean;
  account(id: string): unknown;
}

export function contestant(): Contestant {
  const [port = "", folder = "", log] = process.argv.slice(2);
  const access: Access = JSON.parse(readFileSync(join(folder, "access.json"), "utf8"));
  const credential = `Basic ${Buffer.from(`${access.userName}:${access.apiKey}`).toString("base64")}`;
  const keys = new Map([[access.keyId, createPublicKey(access.privateKeyPem)]]);
  return {
    port: Number(port),
    logger: log === "--log" ? pino() : undefined,
    isAllowed: ({ api, payload }) => {
      const key = keys.get(api.keyId);
      if (api.credential !== credential || key === undefined) return false;
      const bytes = Buffer.from(JSON.stringify(payload));
      return verify("sha256", bytes, key, Buffer.from(api.signature, "base64"));
    },
    account: accountReader(folder),
  };
}

export function paramsAreValid(): (params: unknown) => boolean {
  return new Ajv().compile(paramsSchema);
}

/** Writes the call's line, as `logger` would be used in a handler. */
export function logged<T>(logger: Logger | undefined, action: () => T): T {
  const startedAt = performance.now();
  const result = action();
  logger?.info({ method: methodName, durationMs: performance.now() - startedAt }, "call");
  return result;
}

/** The account as one JSON text: the least that reading it from SQLite can cost. */
function accountReader(folder: string): (id: string) => unknown {
  const text = readFileSync(join(folder, "account.json"), "utf8");
  const database = new DatabaseSync(join(folder, `account-${process.pid}.sqlite`));
  database.exec("CREATE TABLE accounts (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT");
  database.prepare("INSERT INTO accounts VALUES (?, ?)").run(JSON.parse(text).id, text);
  const byId = database.prepare("SELECT document FROM accounts WHERE id = ?");
  return (id) => {
    const row = byId.get(id);
    return row === undefined ? undefined : JSON.parse(String(row["document"]));
  };
}
