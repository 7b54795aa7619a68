import express from "express";
import { rpc } from "ledger-rpc-runtime/express";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { callerScheme, keysIn } from "./callers.ts";
import { PROJECT_CAMELHandlers } from "./handlers/index.ts";
import { createTasks } from "./tasks.ts";

const tasks = createTasks();
const port = Number(process.env["PORT"] ?? 3000);

// In an app that you have: before body parsers.
const app = express();
const auth = { caller: callerScheme(keysIn("callers")) };
app.use("/rpc", rpc(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, { auth, context: () => ({ tasks }) }));

const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) throw error;
  const address = server.address();
  const bound = typeof address === "object" ? address?.port : port;
  console.log(`Serving http://127.0.0.1:${bound}/rpc`);
});
