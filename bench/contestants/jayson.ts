/** jayson with its own HTTP server, and Ajv. */
import jayson from "jayson";
import { contestant, logged, methodName, paramsAreValid, type Params } from "./ledger.ts";

const { port, logger, isAllowed, account } = contestant();
const isParams = paramsAreValid();
type Answer = (error?: { readonly code: number; readonly message: string } | null, result?: unknown) => void;

const server = new jayson.Server({
  [methodName]: (params: Params, answer: Answer) => {
    logged(logger, () => {
      if (!isParams(params)) answer({ code: -32602, message: "invalid params" });
      else if (!isAllowed(params)) answer({ code: -32001, message: "unauthorized" });
      else answer(null, { account: account(params.payload.ID) });
    });
  },
});
server.http().listen(port, "127.0.0.1");
