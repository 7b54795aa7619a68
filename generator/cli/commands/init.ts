import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { packageJson, packageSource, scriptsOf } from "../init/manifest.ts";
import { projectNames } from "../init/project-name.ts";
import {
  commandLines,
  isTemplate,
  successorOf,
  templateFiles,
  templateManifest,
  templateNames,
  type TemplateManifest,
} from "../init/template.ts";
import { configFile } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import { reportFailure } from "../report-failure.ts";
import { selectSpecs } from "../select.ts";
import type { Terminal } from "../terminal.ts";
import { generate } from "./generate.ts";
import { atPlace, makeFolder } from "../../output/index.ts";

export interface InitOptions {
  readonly template: string;
  /** Folder of the tarballs of this generator and its runtime. */
  readonly from?: string;
}

/** `ledger-rpc init`: a project in a folder of its own, with everything generated. Writes over nothing. */
export async function init(
  name: string,
  { template, from }: InitOptions,
  terminal: Terminal,
): Promise<number> {
  const usage = (message: string): number =>
    reportFailure({ message, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  const names = projectNames(name);
  if (names === undefined)
    return usage(
      `${name} is no name of a project: use lower-case letters, digits and hyphens, such as my-service`,
    );
  if (!isTemplate(template)) {
    const successor = successorOf(template);
    return usage(
      successor === undefined
        ? `there is no template ${template}: there are ${templateNames().join(", ")}`
        : `there is no template ${template} any more: ${successor} has what it had`,
    );
  }
  const source = packageSource(from, terminal.cwd);
  if (typeof source === "string") return usage(source);
  const root = resolve(terminal.cwd, name);
  const manifest = templateManifest(template);
  const files = new Map([
    ["package.json", packageJson(names, manifest, source, root)],
    ...templateFiles(template, names),
  ]);
  const taken = [...files.keys(), "generated"].filter((path) => existsSync(join(root, path)));
  if (taken.length > 0)
    return usage(
      `${name} already has ${taken.join(", ")}: nothing was written. Choose another name or move them`,
    );
  write(root, files, (path) => !isBody(path), "wx");
  const generated = await generatedIn(root, terminal);
  if (generated !== exitCode.ok) return generated;
  // Over the stubs that were just made: the generator knows them as its own, and says when their method is gone.
  write(root, files, isBody, "w");
  terminal.print(`Made ${name}: ${files.size} files of yours, and what is generated from spec/.\n`);
  terminal.print(nextSteps(name, manifest));
  return exitCode.ok;
}

/** Whether a file of the template is one that the generator makes a stub of. */
function isBody(path: string): boolean {
  return path.startsWith("src/handlers/");
}

function write(
  root: string,
  files: ReadonlyMap<string, string>,
  isWanted: (path: string) => boolean,
  flag: "w" | "wx",
): void {
  mkdirSync(root, { recursive: true });
  for (const [path, text] of [...files].filter(([each]) => isWanted(each))) {
    makeFolder(root, dirname(path));
    atPlace(root, path, (place) => writeFileSync(place, text, { flag }));
  }
}

/** Generates the new project; only what goes wrong is printed. */
async function generatedIn(root: string, terminal: Terminal): Promise<number> {
  const selection = selectSpecs({ config: join(root, configFile) }, root);
  if (selection.kind === "refused") {
    const { message, diagnostics } = selection;
    return reportFailure({ message, diagnostics, exitCode: exitCode.failed }, terminal, false);
  }
  const quiet: Terminal = { ...terminal, print: () => undefined };
  return await generate(selection, quiet, { asJson: false, prune: false });
}

function nextSteps(name: string, template: TemplateManifest): string {
  const scripts = scriptsOf(template, name);
  const steps = [
    `cd ${name}`,
    "npm install",
    ...("test" in scripts ? ["npm test"] : []),
    ...("start" in scripts
      ? [`npm start &  # serves ${template.serves ?? "http://127.0.0.1:3000/rpc"}`]
      : []),
    ...(template.next ?? []),
    "npm run generate  # after each edit of spec/",
  ];
  return `Next:\n${commandLines(steps)
    .map((line) => `  ${line}`)
    .join("\n")}`;
}
