import { randomBytes } from "node:crypto";
import { start } from "./start.ts";
import { tokenFor } from "./tokens.ts";

const given = process.env["CHAT_SECRET"];
const secret = given ?? randomBytes(32).toString("hex");
const { url, close } = await start(Number(process.env["PORT"] ?? 3000), secret);
if (given === undefined)
  console.log(
    `CHAT_SECRET is not set. For this run: LEDGER_RPC_TOKEN=${await tokenFor("ann", "chat:write", secret)}`,
  );
console.log(`Serving ${url}/rpc and ws: on the same path`);
// Answers the calls that have come, then ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
