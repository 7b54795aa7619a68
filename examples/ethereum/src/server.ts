import express from "express";
import { rpc } from "ledger-rpc-runtime/express";
import { ethereumInterface } from "../generated/methods.ts";
import { createChain } from "./chain.ts";
import { handlers } from "./handlers.ts";

const chain = createChain();
const app = express();
app.use("/rpc", rpc(ethereumInterface, handlers, { context: () => ({ chain }) }));

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", (error) => {
  if (error) throw error;
  const address = server.address();
  console.log(`Serving http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/rpc`);
});
