import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import express from "express";
import { rpc, serve } from "ledger-rpc-runtime/express";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { tokenFor, userScheme } from "./auth.ts";
import { PROJECT_CAMELHandlers } from "./handlers/index.ts";
import { createTasks } from "./tasks.ts";

const tasks = createTasks();
const given = process.env["TOKEN_SECRET"];
const secret = given ?? randomBytes(32).toString("hex");

// In an app that you have: before body parsers.
const app = express();
const options = { auth: { user: userScheme(secret) }, context: () => ({ tasks }) };
app.use("/rpc", rpc(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, options));
// The interface to read, made from the spec.
app.use("/docs", express.static("generated/reference"));
app.get("/", (_request, response) => response.redirect("docs/"));

const token = given === undefined ? await tokenFor("me", secret) : undefined;
const { url, close } = await serve(app, { port: Number(process.env["PORT"] ?? 3000) });
if (token !== undefined) {
  // For `ledger-rpc call` and `conform`, which sign tokens of their own with the secret of this run.
  writeFileSync("access.json", JSON.stringify({ credentials: { user: { secret } } }), { mode: 0o600 });
  console.log("TOKEN_SECRET is not set: access.json holds the one of this run, for --access.");
  console.log(`For other clients: LEDGER_RPC_TOKEN=${token}`);
}
console.log(`Serving ${url}/rpc`);
// Answers the calls that have come, then ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
