/** Fastify with its own Ajv, its own printer and, with `--log`, its own request log. */
import { fastify } from "fastify";
import { contestant, requestSchema, type Params } from "./ledger.ts";

const { port, logger, isAllowed, account } = contestant();
const app = fastify({ logger: logger !== undefined });
const anyValue = {};
const response = {
  200: {
    type: "object",
    properties: {
      jsonrpc: { type: "string" },
      id: { type: "string" },
      result: { type: "object", properties: { account: anyValue } },
      error: anyValue,
    },
  },
};

app.post<{ Body: { readonly id: string; readonly params: Params } }>(
  "/jsonrpc",
  { schema: { body: requestSchema, response } },
  async ({ body: { id, params } }) => {
    if (!isAllowed(params)) return { jsonrpc: "2.0", id, error: { code: "UNAUTHORIZED" } };
    return { jsonrpc: "2.0", id, result: { account: account(params.payload.ID) } };
  },
);
await app.listen({ port, host: "127.0.0.1" });
