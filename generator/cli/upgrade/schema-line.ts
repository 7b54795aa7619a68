import { posix } from "node:path";
import type { ProjectFolder } from "../../output/index.ts";
import type { ProjectConfig } from "../config.ts";
import type { UpgradePlan } from "./edit.ts";

const packaged = "node_modules/ledger-rpc/spec/schema/spec.schema.json";
const line = /^(# yaml-language-server: \$schema=)(\S+)/m;

/** Spec files whose first line leads an editor to a schema that is not there lead it to the one of the package. */
export function schemaLinePlan(folder: ProjectFolder, config: ProjectConfig): UpgradePlan {
  const files = config.specs
    .flatMap(({ spec }) => folder.list(spec))
    .filter((path) => path.endsWith(".yaml"));
  const edits = files.flatMap((path) => {
    const before = folder.read(path)?.toString() ?? "";
    const [, , named = ""] = line.exec(before) ?? [];
    if (named === "" || /^[a-z]+:/i.test(named)) return [];
    const isThere = folder.read(posix.join(posix.dirname(path), named)) !== undefined;
    const wanted = posix.relative(posix.dirname(path), packaged);
    if (isThere || named === wanted) return [];
    return [{ path, before, after: before.replace(line, `$1${wanted}`) }];
  });
  return { edits, byHand: [] };
}
