/** Express with its own JSON parser, and Ajv. */
import { Ajv } from "ajv";
import express from "express";
import { contestant, logged, requestSchema, type Params } from "./ledger.ts";

const { port, logger, isAllowed, account } = contestant();
const isRequest = new Ajv().compile<{ readonly id: string; readonly params: Params }>(requestSchema);

const app = express();
app.disable("x-powered-by").disable("etag");
app.post("/jsonrpc", express.json(), (request, response) => {
  logged(logger, () => {
    const body: unknown = request.body;
    if (!isRequest(body)) {
      response.status(400).json({ jsonrpc: "2.0", error: { code: "BAD_INPUT" } });
      return;
    }
    const { id, params } = body;
    if (isAllowed(params))
      response.json({ jsonrpc: "2.0", id, result: { account: account(params.payload.ID) } });
    else response.json({ jsonrpc: "2.0", id, error: { code: "UNAUTHORIZED" } });
  });
});
app.listen(port, "127.0.0.1");
