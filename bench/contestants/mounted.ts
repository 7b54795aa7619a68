/**
 * The service's endpoint in an Express app that knows nothing else of it: `node bench/contestants/mounted.ts <port> <folder>`.
 * The folder holds the data of a service that was started once.
 */
import express from "express";
import { createLogger } from "../../runtime/operations/log/logger.ts";
import { createMetrics, rpc } from "../../runtime/operations/http/index.ts";
import { compose } from "../../runtime/server/index.ts";
import { loadConfig } from "../../runtime/operations/config/index.ts";
import { application } from "../../ledger/application.ts";

const [port = "", dataDir = ""] = process.argv.slice(2);
const config = loadConfig(application, { ...process.env, LEDGER_DATA_DIR: dataDir });
const logger = createLogger(application, config.logLevel);
const { pipelines } = await compose(application, { config, logger, migrate: false });
const pipeline = pipelines.get("ledger");
if (pipeline === undefined) throw new Error("the service has no interface ledger");
const app = express();
app.use("/jsonrpc", rpc(pipeline, { logger, metrics: createMetrics() }));
app.listen(Number(port), "127.0.0.1");
