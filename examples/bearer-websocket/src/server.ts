import { randomBytes } from "node:crypto";
import { start } from "./start.ts";
import { tokenFor } from "./tokens.ts";

const given = process.env["CHAT_SECRET"];
const secret = given ?? randomBytes(32).toString("hex");
const server = await start(Number(process.env["PORT"] ?? 3000), secret);
const address = server.address();
if (given === undefined)
  console.log(
    `CHAT_SECRET is not set. For this run: LEDGER_RPC_TOKEN=${await tokenFor("ann", "chat:write", secret)}`,
  );
console.log(
  `Serving http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/rpc and ws: on the same path`,
);
