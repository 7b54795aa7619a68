import { once } from "node:events";
import { createServer } from "node:http";
import { createService, rpcHandler } from "../runtime/index.ts";
import { desksInterface } from "./generated/methods.ts";
import { desksHandlers } from "./handlers/index.ts";

const server = createServer(rpcHandler(createService(desksInterface, desksHandlers)));
await once(server.listen(0, "127.0.0.1"), "listening");
console.log(JSON.stringify(server.address()));
