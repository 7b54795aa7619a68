import express from "express";
import { rpc, serve } from "ledger-rpc-runtime/express";
import { ethereumInterface } from "../generated/methods.ts";
import { createChain } from "./chain.ts";
import { handlers } from "./handlers.ts";

const chain = createChain();
const app = express();
app.use("/rpc", rpc(ethereumInterface, handlers, { context: () => ({ chain }) }));

const { url, close } = await serve(app, { port: Number(process.env["PORT"] ?? 3000) });
console.log(`Serving ${url}/rpc`);
// Answers the calls that have come, then ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
