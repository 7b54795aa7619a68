#!/usr/bin/env node
import { launch } from "./launch.mjs";
launch("generator/cli/main", { nodeMin: "22.12" });
