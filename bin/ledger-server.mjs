#!/usr/bin/env node
import { launch } from "./launch.mjs";
launch("runtime/cli/main");
