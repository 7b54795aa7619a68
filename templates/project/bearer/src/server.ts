import { randomBytes } from "node:crypto";
import express from "express";
import { rpc } from "ledger-rpc-runtime/express";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { tokenFor, userScheme } from "./auth.ts";
import { PROJECT_CAMELHandlers } from "./handlers/index.ts";
import { createTasks } from "./tasks.ts";

const tasks = createTasks();
const port = Number(process.env["PORT"] ?? 3000);
const given = process.env["TOKEN_SECRET"];
const secret = given ?? randomBytes(32).toString("hex");

// In an app that you have: before body parsers.
const app = express();
const options = { auth: { user: userScheme(secret) }, context: () => ({ tasks }) };
app.use("/rpc", rpc(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, options));

const token = given === undefined ? await tokenFor("me", secret) : undefined;
const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) throw error;
  if (token !== undefined) console.log(`TOKEN_SECRET is not set. For this run: LEDGER_RPC_TOKEN=${token}`);
  const address = server.address();
  const bound = typeof address === "object" ? address?.port : port;
  console.log(`Serving http://127.0.0.1:${bound}/rpc`);
});
