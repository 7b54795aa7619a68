import { relative, resolve } from "node:path";
import { messageOf } from "../../conformance/base/message-of.ts";
import type { Access } from "../../conformance/request/access.ts";
import { collectionFormats, unservedSchemes, variableOf } from "./formats.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { reasonOf } from "../../generator/output/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import { toolsOf } from "../protocols/index.ts";
import type { ProjectConfig, SpecTarget } from "../../generator/cli/config.ts";
import { diskReader } from "../../generator/cli/disk-reader.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import { nameOf, selectSpecs, type SpecOptions } from "../../generator/cli/select.ts";
import { countText } from "../../generator/cli/show-diagnostics.ts";
import { reached, type Terminal } from "../../generator/cli/terminal.ts";
import { writeOwned } from "../write-owned.ts";

export interface CollectionOptions extends SpecOptions {
  readonly out: string;
  readonly access?: string;
  readonly operator?: true;
}

/** `ledger-rpc collection`: requests for a program with which people call interfaces by hand. */
export async function collection(
  format: string,
  options: CollectionOptions,
  terminal: Terminal,
): Promise<number> {
  const selection = selectSpecs(options, terminal.cwd, "read");
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { config, targets } = selection;
  if (options.access !== undefined && targets.length > 1) {
    const names = targets.map(({ spec }) => nameOf(spec)).join(" or ");
    const message = `an access file belongs to one interface: choose one with --spec, ${names}`;
    return reportFailure({ message, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  }
  for (const target of targets) {
    const code = writeCollection(format, config, target, options, terminal);
    if (code !== exitCode.ok) return code;
  }
  return exitCode.ok;
}

function writeCollection(
  format: string,
  { root }: ProjectConfig,
  { spec }: SpecTarget,
  { out, access, operator }: CollectionOptions,
  terminal: Terminal,
): number {
  const failed = (message: string): number =>
    reportFailure({ message, diagnostics: [], exitCode: exitCode.failed }, terminal, false);
  const { value: model, diagnostics } = loadServiceModel(spec, diskReader(root));
  if (model === undefined)
    return reportFailure(
      { message: countText(diagnostics), diagnostics, exitCode: exitCode.failed },
      terminal,
      false,
    );
  let values: Readonly<Record<string, string>> | undefined;
  try {
    if (access !== undefined)
      values = valuesOf(
        model,
        toolsOf(model).readAccess(model, reached(terminal, access)),
        operator === true,
      );
  } catch (error) {
    return failed(messageOf(error));
  }
  const folder = resolve(root, out, format, model.name);
  const files = collectionFormats[format]?.(model, values) ?? new Map<string, string>();
  const shown = (path: string): string => relative(terminal.cwd, path);
  let foreign: string | undefined;
  try {
    foreign = writeOwned(root, folder, files, values === undefined ? undefined : 0o600);
  } catch (error) {
    return failed(`${shown(folder)} cannot be written: ${reasonOf(error)}`);
  }
  if (foreign !== undefined)
    return failed(`${shown(foreign)} was not written by this command: move it, or choose another --out`);
  terminal.print(`${model.name}: ${files.size === 1 ? "1 file" : `${files.size} files`} in ${shown(folder)}`);
  if (values !== undefined)
    terminal.note("The environment holds secrets of the access file. Keep it out of version control.");
  const unserved = unservedSchemes(model);
  if (unserved.length > 0)
    terminal.note(`No variable can serve ${unserved.join(" and ")}: calls that need it are refused.`);
  return exitCode.ok;
}

/** The variables of an environment. @throws Error where the file does not have what is asked of it */
function valuesOf(
  model: ServiceModel,
  access: Access,
  isOperator: boolean,
): Readonly<Record<string, string>> {
  const samples = Object.fromEntries(
    Object.entries(access.samples ?? {}).map(([name, value]) => [variableOf(name, model), value]),
  );
  const baseUrl = originOf(isOperator ? access.operatorUrl : access.baseUrl);
  // A sample may be called as what signs is: who calls goes first.
  return { ...samples, baseUrl, ...partOf(model, "collection").values(access, model, isOperator) };
}

/** Requests have the path of the spec. */
function originOf(url: string | undefined): string {
  return url === undefined ? "" : new URL(url).origin;
}
