import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/**
 * How the modules of a project import each other's TypeScript files. It is `.js` if its `tsconfig.json` forbids
 * `.ts`; undefined, for `.ts`, if it allows that or does not exist.
 */
export function importExtensionOf(root: string): ".js" | undefined {
  const file = join(root, "tsconfig.json");
  if (!existsSync(file)) return undefined;
  return takesTsExtensions(file, new Set()) === true ? undefined : ".js";
}

/** The setting of a config, or of those that it extends; `undefined` where none has it. */
function takesTsExtensions(file: string, seen: Set<string>): boolean | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const config = readConfig(file);
  const { allowImportingTsExtensions: allowed, rewriteRelativeImportExtensions: rewritten } =
    config.compilerOptions ?? {};
  if (allowed === true || rewritten === true) return true;
  if (allowed === false) return false;
  const bases = [config.extends ?? []].flat().toReversed();
  for (const base of bases) {
    const path = baseFile(file, base);
    const result = path === undefined ? undefined : takesTsExtensions(path, seen);
    if (result !== undefined) return result;
  }
  return undefined;
}

interface TypeScriptConfig {
  readonly extends?: string | readonly string[];
  readonly compilerOptions?: {
    readonly allowImportingTsExtensions?: boolean;
    readonly rewriteRelativeImportExtensions?: boolean;
  };
}

/** The parts of a config that count here; none of one that cannot be read: the compiler says what is wrong with it. */
function readConfig(file: string): TypeScriptConfig {
  try {
    const config: unknown = JSON.parse(withoutComments(readFileSync(file, "utf8")));
    return typeof config === "object" && config !== null ? config : {};
  } catch {
    return {};
  }
}

/** JSON as compilers of TypeScript read it: with comments, and commas before a closing bracket. */
function withoutComments(text: string): string {
  const json = text.replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/.*|\/\*[^]*?\*\//g, "$1");
  return json.replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, "$1").replace(/^\uFEFF/, "");
}

function baseFile(file: string, base: string): string | undefined {
  const isPath = /^\.{0,2}\//.test(base);
  try {
    if (!isPath) return createRequire(file).resolve(base);
  } catch {
    return undefined;
  }
  const path = resolve(dirname(file), base);
  return [path, `${path}.json`].find((each) => existsSync(each));
}
