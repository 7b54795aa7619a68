import { DatabaseSync } from "node:sqlite";
import express from "express";
import { rpc, serve } from "ledger-rpc-runtime/express";
import { sqliteStore } from "ledger-rpc-runtime/sqlite";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { PROJECT_CAMELHandlers } from "./handlers/index.ts";
import { createTasks } from "./tasks.ts";

const db = new DatabaseSync(process.env["DATABASE"] ?? "PROJECT_NAME.db", { timeout: 5000 });
const tasks = createTasks(db);
// Each call is a transaction. A call that is sent again with the same `Idempotency-Key` gets the first result.
const store = sqliteStore(db, { ownerOf: () => "everyone" });

// In an app that you have: before body parsers.
const app = express();
app.use("/rpc", rpc(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, { context: () => ({ tasks }), store }));
// The interface to read, made from the spec.
app.use("/docs", express.static("generated/reference"));
app.get("/", (_request, response) => response.redirect("docs/"));

const { url, close } = await serve(app, { port: Number(process.env["PORT"] ?? 3000) });
console.log(`Serving ${url}/rpc`);
// Answers the calls that have come, then ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
