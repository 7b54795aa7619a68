import { configFile, loadConfig } from "../generator/cli/config.ts";
import { build, builtParts } from "../tools/built.ts";
import { join } from "node:path";

/** Before any test: what is generated and not committed is as spec and generator have it. */
export async function setup(): Promise<void> {
  const { value: config } = loadConfig(join(import.meta.dirname, "..", configFile), "read");
  if (config === undefined) throw new Error(`${configFile} has errors`);
  const reason = await build(config, builtParts(config));
  if (reason !== undefined) throw new Error(reason);
}
