import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { messageOf } from "../../conformance/base/message-of.ts";
import { packClient } from "./index.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import { nameOf, selectSpecs, type SpecOptions } from "../../generator/cli/select.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";

export interface PackCommandOptions extends SpecOptions {
  readonly out: string;
  readonly scope?: string;
  readonly name?: string;
  readonly packageVersion?: string;
}

/** `ledger-rpc pack`: a package of each generated client. */
export async function pack(options: PackCommandOptions, terminal: Terminal): Promise<number> {
  const failure = (message: string, code: number): number =>
    reportFailure({ message, diagnostics: [], exitCode: code }, terminal, false);
  const selection = selectSpecs(options, terminal.cwd);
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { root } = selection.config;
  const clients = selection.targets
    .map(({ spec, out }) => ({ name: nameOf(spec), folder: resolve(root, out, "client") }))
    .filter(({ folder }) => existsSync(join(folder, "package.json")));
  if (clients.length === 0)
    return failure("there is no generated client: add the target `client`, and generate", exitCode.failed);
  if (clients.length > 1 && options.name !== undefined)
    return failure(
      "--name names one package: give --scope for several, or choose one with --spec",
      exitCode.usage,
    );
  const { scope, name: whole, packageVersion: version } = options;
  const how = { scope, name: whole, version, out: resolve(root, options.out), owner: root };
  for (const { name, folder } of clients) {
    terminal.progress(`${name}: compiling the client …`);
    try {
      const tarball = await packClient(folder, how);
      terminal.print(relative(terminal.cwd, tarball));
    } catch (error) {
      return failure(`${name}: ${messageOf(error)}`, exitCode.failed);
    }
  }
  return exitCode.ok;
}
