import { run } from "ledger-rpc-runtime/commands";
import { application } from "./application.ts";

// The commands: start, serve, migrate, users, backup, verify and others.
await run(application);
