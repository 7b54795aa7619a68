import { existsSync } from "node:fs";
import { join } from "node:path";
import { runConform, type ConformOptions } from "../../../conformance/index.ts";
import type { ProjectConfig, SpecTarget } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

/** `ledger-rpc conform`: tries a running service with the suite of one interface of the project. */
export async function conformTo(
  config: ProjectConfig,
  target: SpecTarget,
  options: ConformOptions,
  terminal: Terminal,
): Promise<number> {
  const folder = join(config.root, target.out, "conformance");
  if (existsSync(join(folder, "suite.json"))) return await runConform(folder, options, terminal);
  const isWanted = config.targets?.includes("conformance") ?? true;
  const advice = isWanted ? "" : "add `conformance` to `targets` of the config, then ";
  terminal.note(`error: ${target.out}/conformance is not there: ${advice}run \`ledger-rpc generate\` first`);
  return exitCode.usage;
}
