import { posix } from "node:path";
import { ts } from "ts-morph";

/** A module of TypeScript as browsers take it: without types, importing its neighbours by `.js`. */
function browserModule(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  return outputText.replaceAll(ownImport, "$1$2.js$3");
}

/** An import from a module beside it. */
const ownImport = /^((?:import|export)\b[^;"]*")(\.{1,2}\/[^"]+)\.(?:ts|js)(";)/gm;

/** The modules that some begin with need, by way of what they import: paths from a folder to JavaScript. */
export function browserModules(
  sources: ReadonlyMap<string, string>,
  begin: readonly string[],
): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const add = (path: string): void => {
    const source = sources.get(path);
    const target = path.replace(/\.ts$/, ".js");
    if (source === undefined || modules.has(target)) return;
    const text = browserModule(source);
    modules.set(target, text);
    for (const [, , imported = ""] of text.matchAll(ownImport))
      add(posix.join(posix.dirname(path), `${imported}.ts`));
  };
  for (const path of begin) add(path);
  return modules;
}
