import express from "express";
import { rpc, serve } from "ledger-rpc-runtime/express";
import { plainInterface } from "../generated/methods.ts";
import { plainHandlers } from "./handlers/index.ts";
import { createTasks } from "./tasks.ts";

const tasks = createTasks();

// In an app that you have: before body parsers.
const app = express();
app.use("/rpc", rpc(plainInterface, plainHandlers, { context: () => ({ tasks }) }));
// The interface to read, made from the spec.
app.use("/docs", express.static("generated/reference"));
app.get("/", (_request, response) => response.redirect("docs/"));

const { url, close } = await serve(app, { port: Number(process.env["PORT"] ?? 3000) });
console.log(`Serving ${url}/rpc`);
// Answers the calls that have come, then ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
