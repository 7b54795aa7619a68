import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { withItem } from "../../generator/language/syntax/index.ts";
import { findConfig, loadConfig, type ProjectConfig } from "../../generator/cli/config.ts";
import { untouchedInterface } from "../../generator/cli/init/template.ts";
import { checkInside, reasonOf } from "../../generator/output/index.ts";

/** A spec that is about to be part of a project. */
export interface AddedSpec {
  /** Its folder, absolute: new, empty, or with the untouched spec of `init --template empty`. */
  readonly folder: string;
  /** Name of the interface whose untouched spec it takes the place of. */
  readonly replaces?: string;
  /** The config that will name it; absent outside a project. */
  readonly config?: string;
  /** Adds it to the config, whose comments stay. */
  save(): void;
}

/** Finds the folders of a new spec, as it is named in a folder; none of them is in the way of another. */
export function addToConfig(
  name: string,
  out: string | undefined,
  configPath: string | undefined,
  cwd: string,
): { readonly added: AddedSpec } | { readonly problem: string } {
  const file = findConfig(cwd, configPath);
  if (file === undefined) {
    if (configPath !== undefined) return { problem: `there is no config ${configPath}` };
    return withFolder(resolve(cwd, out ?? join("spec", name)), cwd, { save: () => undefined });
  }
  const { value: config } = loadConfig(file, "add");
  if (config === undefined) return { problem: `${file} has mistakes: \`ledger-rpc check\` says which` };
  // A spec that the config names, and that is not there yet or holds nothing yet, is the one that is meant.
  const vacant = config.specs.filter(({ spec }) => isVacant(join(config.root, spec)));
  const [meant] = vacant.length === 1 ? vacant : [];
  const claimed = config.specs.flatMap((each) => [each.spec, each.out, each.handlers]);
  const folder = resolve(
    cwd,
    out ??
      join(
        dirname(file),
        meant?.spec ?? freePath([`spec/${name}`, `specs/${name}`, `spec-${name}`], claimed),
      ),
  );
  const spec = relative(config.root, folder).replaceAll("\\", "/");
  if (spec.startsWith("..")) return withFolder(folder, cwd, { save: () => undefined });
  try {
    checkInside(config.root, folder);
  } catch (error) {
    return { problem: `${spec} cannot be written: ${reasonOf(error)}` };
  }
  const known = config.specs.some((each) => each.spec === spec);
  const entry = {
    spec,
    out: freePath([`generated/${name}`, `generated-${name}`], [...claimed, spec]),
    handlers: freePath([`src/handlers/${name}`, `src/handlers-${name}`], [...claimed, spec]),
  };
  return withFolder(folder, cwd, {
    config: file,
    save: () => (known ? undefined : addEntry(config, entry)),
  });
}

function withFolder(folder: string, cwd: string, rest: Omit<AddedSpec, "folder">) {
  const shown = relative(cwd, folder) || ".";
  if (!isVacant(folder))
    return { problem: `${shown} is not empty: nothing is overwritten. Empty it, or name another with --out` };
  const replaces = untouchedInterface(folder);
  return { added: { folder, ...(replaces === undefined ? {} : { replaces }), ...rest } };
}

/** Whether there is nothing in a folder that a user wrote. */
function isVacant(folder: string): boolean {
  if (!existsSync(folder)) return true;
  if (!statSync(folder).isDirectory()) return false;
  return readdirSync(folder).length === 0 || untouchedInterface(folder) !== undefined;
}

/** The first path that lies neither in nor around one that is taken. */
function freePath(candidates: readonly string[], taken: readonly string[]): string {
  const isFree = (path: string) =>
    taken.every((other) => !`${other}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${other}/`));
  return candidates.find(isFree) ?? candidates.at(-1) ?? "";
}

function addEntry(config: ProjectConfig, entry: Readonly<Record<string, string>>): void {
  writeFileSync(config.file, withItem(readFileSync(config.file, "utf8"), "specs", entry));
}
