import { createServer } from "node:http";
import { createService, rpcHandler } from "../runtime/index.ts";
import { sumsInterface } from "./generated/methods.ts";
import { sumsHandlers } from "./handlers/index.ts";

const server = createServer(rpcHandler(createService(sumsInterface, sumsHandlers)));
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify(server.address())));
