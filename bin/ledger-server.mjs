#!/usr/bin/env node
import { launch } from "./launch.mjs";
// A young generation that stays small: it costs nothing, and the process stays under 150 MB.
launch("runtime/cli/main", { nodeFlags: ["--max-semi-space-size=8"] });
