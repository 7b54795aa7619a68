import express from "express";
import { rpc } from "ledger-rpc-runtime/express";
import { plainInterface } from "../generated/methods.ts";
import { plainHandlers } from "./handlers/index.ts";
import { createTasks } from "./tasks.ts";

const tasks = createTasks();
const port = Number(process.env["PORT"] ?? 3000);

// In an app that you have: before body parsers.
const app = express();
app.use("/rpc", rpc(plainInterface, plainHandlers, { context: () => ({ tasks }) }));

const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) throw error;
  const address = server.address();
  const bound = typeof address === "object" ? address?.port : port;
  console.log(`Serving http://127.0.0.1:${bound}/rpc`);
});
