import express from "express";
import { rpc, serve } from "ledger-rpc-runtime/express";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { PROJECT_CAMELHandlers } from "./handlers/index.ts";
import { createTasks } from "./tasks.ts";

const tasks = createTasks();

// In an app that you have: before body parsers.
const app = express();
app.use("/rpc", rpc(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, { context: () => ({ tasks }) }));
// The interface to read, made from the spec.
app.use("/docs", express.static("generated/reference"));
app.get("/", (_request, response) => response.redirect("docs/"));

const { url, close } = await serve(app, { port: Number(process.env["PORT"] ?? 3000) });
console.log(`Serving ${url}/rpc`);
// Answers the calls that have come, then ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
