#!/usr/bin/env node
import { launch } from "./launch.mjs";
// SIGUSR1 would open a debugger, by which any user of the machine reads the seal key.
// A young generation that stays small: it costs nothing, and the process stays under 150 MB.
launch("ledger/cli/main", { nodeFlags: ["--disable-sigusr1", "--max-semi-space-size=8"] });
