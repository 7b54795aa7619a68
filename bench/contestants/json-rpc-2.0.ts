/** json-rpc-2.0 over Express, as its documentation shows it, and Ajv. */
import express from "express";
import { JSONRPCErrorException, JSONRPCServer } from "json-rpc-2.0";
import { contestant, logged, methodName, paramsAreValid, type Params } from "./ledger.ts";

const { port, logger, isAllowed, account } = contestant();
const isParams = paramsAreValid();
const server = new JSONRPCServer();
server.addMethod(methodName, (params: Params) =>
  logged(logger, () => {
    if (!isParams(params)) throw new JSONRPCErrorException("invalid params", -32602);
    if (!isAllowed(params)) throw new JSONRPCErrorException("unauthorized", -32001);
    return { account: account(params.payload.ID) };
  }),
);

const app = express();
app.disable("x-powered-by").disable("etag");
app.post("/jsonrpc", express.json(), (request, response, next) => {
  server.receive(request.body).then((answer) => response.json(answer), next);
});
app.listen(port, "127.0.0.1");
