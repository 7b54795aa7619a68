import { posix } from "node:path";
import type { ProjectFolder } from "../../output/index.ts";
import { configFile, contractPackage, type ProjectConfig } from "../config.ts";
import type { FileEdit, UpgradePlan } from "./edit.ts";

/**
 * Generated code once imported a copy of the contract, `contract/index.ts`, that each project kept. The package of the
 * runtime has it now: a project that installs the package imports it from there.
 */
export function contractPackagePlan(folder: ProjectFolder, config: ProjectConfig): UpgradePlan {
  const { contract, file } = config;
  if (!/\.[cm]?[jt]s$/.test(contract)) return { edits: [], byHand: [] };
  if (!installs(folder, runtimePackage)) {
    const advice = `${contract} is a copy of the contract of your own: install ${runtimePackage}, then run upgrade again, and it is imported from there.`;
    return { edits: [], byHand: [advice] };
  }
  const name = posix.basename(file.replaceAll("\\", "/")) || configFile;
  const text = textOf(folder, name);
  const line = /^contract:[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s#]+)/m;
  const edits: FileEdit[] = [
    { path: name, before: text, after: text.replace(line, `contract: ${contractPackage}`) },
  ];
  for (const { handlers } of config.specs)
    for (const path of folder.list(handlers).filter((each) => /\.[cm]?ts$/.test(each)))
      edits.push(importsEdit(path, textOf(folder, path), contract));
  const left = `${posix.dirname(contract)}/ is no longer imported by handlers: delete it where nothing else needs it.`;
  return { edits: edits.filter(({ before, after }) => before !== after), byHand: [left] };
}

const runtimePackage = "ledger-rpc-runtime";

/** A handler file whose imports of the old contract are imports of the package. Nothing else of it changes. */
function importsEdit(path: string, before: string, contract: string): FileEdit {
  const isContract = (specifier: string): boolean => {
    const module = posix.join(posix.dirname(path), specifier).replace(/\.([cm]?)js$/, ".$1ts");
    return module === contract || `${module}/index.ts` === contract;
  };
  const after = before.replaceAll(
    /((?:^|\n)[ \t]*(?:import|export)\b[^;"'`]*?\bfrom\s*)(["'])(\.{1,2}\/[^"'\n]*)\2/g,
    (whole: string, head: string, quote: string, specifier: string) =>
      isContract(specifier) ? `${head}${quote}${contractPackage}${quote}` : whole,
  );
  return { path, before, after };
}

function installs(folder: ProjectFolder, name: string): boolean {
  try {
    const { dependencies = {}, devDependencies = {} }: Manifest = JSON.parse(textOf(folder, "package.json"));
    return name in dependencies || name in devDependencies;
  } catch {
    return false;
  }
}

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

/** The text of a file; empty where it is not UTF-8 and would not come back as it was. */
function textOf(folder: ProjectFolder, path: string): string {
  const bytes = folder.read(path);
  const text = bytes?.toString() ?? "";
  return bytes !== undefined && Buffer.from(text).equals(bytes) ? text : "";
}
