import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { checkInside, projectFolder } from "../../output/index.ts";
import { exitCode } from "../exit-code.ts";
import { reportFailure } from "../report-failure.ts";
import { selectSpecs } from "../select.ts";
import type { Terminal } from "../terminal.ts";
import { contractPackagePlan } from "../upgrade/contract-package.ts";
import type { FileEdit } from "../upgrade/edit.ts";
import { schemaLinePlan } from "../upgrade/schema-line.ts";

export interface UpgradeOptions {
  readonly config?: string;
  readonly dryRun?: true;
}

/** The number of the contract that generated code carries: a runtime takes it and the one before. */
const contractNumber = 1;

/**
 * `ledger-rpc upgrade`: brings a project to what this version of the generator reads. It rewrites YAML and imports, and
 * says what is left to do by hand; bodies of handlers stay as they are.
 */
export function upgrade(options: UpgradeOptions, terminal: Terminal): number {
  const dryRun = options.dryRun === true;
  const selection = selectSpecs(options, terminal.cwd);
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { config } = selection;
  const folder = projectFolder(config.root);
  const plans = [schemaLinePlan(folder, config), contractPackagePlan(folder, config)];
  const edits = plans.flatMap((plan) => plan.edits);
  if (!dryRun) for (const edit of edits) write(config.root, edit);
  for (const edit of edits) terminal.print(changesText(edit, dryRun));
  for (const advice of plans.flatMap((plan) => plan.byHand)) terminal.print(`by hand: ${advice}`);
  const runtime = runtimeAdvice(config.root);
  if (runtime !== undefined) terminal.print(`by hand: ${runtime}`);
  if (edits.length === 0)
    terminal.print("Nothing to rewrite: spec, config and imports are those of this version.");
  else if (!dryRun) terminal.print("Run `ledger-rpc generate` to bring generated code up to date.");
  return exitCode.ok;
}

/** A file that changed since it was read is not written over. */
function write(root: string, { path, before, after }: FileEdit): void {
  const file = join(root, path);
  checkInside(root, path);
  if (readFileSync(file, "utf8") !== before)
    throw new Error(`${path} changed while it was upgraded: run it again`);
  writeFileSync(file, after);
}

function changesText({ path, before, after }: FileEdit, dryRun: boolean): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = now.flatMap((line, at) => (line === old[at] ? [] : [`  - ${old[at] ?? ""}`, `  + ${line}`]));
  return [`${dryRun ? "would rewrite" : "rewrote"} ${path}`, ...lines].join("\n");
}

/** The advice for an installed runtime that this generator's output does not work with. */
function runtimeAdvice(root: string): string | undefined {
  const file = join(root, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    const manifest = createRequire(file).resolve("ledger-rpc-runtime/package.json");
    const { ledgerRpc }: { ledgerRpc?: { contract?: number } } = JSON.parse(readFileSync(manifest, "utf8"));
    const taken = ledgerRpc?.contract ?? contractNumber;
    if (taken === contractNumber || taken === contractNumber + 1) return undefined;
    const which = taken < contractNumber ? "older" : "newer";
    return `the installed ledger-rpc-runtime is ${which} than this generator (contract ${taken}, not ${contractNumber}): install both in one version.`;
  } catch {
    return undefined;
  }
}
