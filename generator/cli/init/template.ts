import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { projectNames, type ProjectNames } from "./project-name.ts";

const templates = join(import.meta.dirname, "../../../templates/project");
/** The template that every project gets. */
const base = "base";

/** The members that a template adds to `package.json`. */
export interface TemplateManifest {
  readonly description: string;
  /** A template whose files it takes, but for those that it has itself. */
  readonly extends?: string;
  /** Names of packages: their versions are those that this generator was tested with. */
  readonly dependencies?: readonly string[];
  readonly devDependencies?: readonly string[];
  /** Added to the usual scripts; one that is null is left out. */
  readonly scripts?: Readonly<Record<string, string | null>>;
  /** The least version of Node, major and minor. Default: 22.18. */
  readonly node?: string;
  /** The address that `npm start` serves. Default: `http://127.0.0.1:3000/rpc`. */
  readonly serves?: string;
  /** Files of every project that this one does without. */
  readonly leaves?: readonly string[];
  /** Commands that try the running service, each with a remark: `ledger-rpc init` prints them, the project's README has them. */
  readonly next?: readonly string[];
  /** A program of the README that calls the running service by the generated client, line by line. */
  readonly client?: readonly string[];
}

/** The templates that `init` knows. */
export function templateNames(): readonly string[] {
  const folders = readdirSync(templates, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).filter((name) => name !== base);
}

export function templateManifest(template: string): TemplateManifest {
  return JSON.parse(readFileSync(join(templates, template, manifestFile), "utf8"));
}

/** The files of a template by path, with the project's names in place; without its `package.json`. */
export function templateFiles(template: string, names: ProjectNames): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const { extends: other, next = [], client = [], leaves = [], node = nodeMin } = templateManifest(template);
  const tries = commandLines(next).join("\n");
  for (const name of [base, ...(other === undefined ? [] : [other]), template]) {
    const folder = join(templates, name);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile() && each.name !== manifestFile)) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(folder, file).split(sep).join("/");
      // npm leaves files of this name out of packages.
      const filled = readFileSync(file, "utf8")
        .replaceAll("PROJECT_NODE", node)
        .replace("PROJECT_TRY", () => tries)
        .replace("PROJECT_CLIENT", () => ["```ts", ...client, "```"].join("\n"));
      files.set(path.replace(/^git(?=ignore$|attributes$)/, ".git"), named(filled, names));
    }
  }
  for (const path of leaves) files.delete(path);
  return files;
}

/** The least version of Node that runs TypeScript as it is. */
export const nodeMin = "22.18";

/** Commands, and below each other the remarks of those that have one. */
export function commandLines(commands: readonly string[]): readonly string[] {
  return commands.map((each) => {
    const [command = "", remark] = each.split("  # ");
    return remark === undefined ? command : `${command.padEnd(51)} # ${remark}`;
  });
}

const manifestFile = "template.json";

function named(text: string, { name, camel, pascal, title }: ProjectNames): string {
  return text
    .replaceAll("PROJECT_NAME", name)
    .replaceAll("PROJECT_VARIABLES", name.toUpperCase().replaceAll("-", "_"))
    .replaceAll("PROJECT_CAMEL", camel)
    .replaceAll("PROJECT_PASCAL", pascal)
    .replaceAll("PROJECT_TITLE", title);
}

/** Templates that there were, and the one that takes the place of each. */
const successors: Readonly<Record<string, string>> = { signed: "service", storage: "service" };

/** The template that took the place of one that is gone. */
export function successorOf(template: string): string | undefined {
  return Object.hasOwn(successors, template) ? successors[template] : undefined;
}

export function isTemplate(name: string): boolean {
  return name !== base && /^[a-z]+$/.test(name) && existsSync(join(templates, name));
}

/** Name of the interface whose spec is still as `--template empty` makes it. Undefined for any other folder. */
export function untouchedInterface(folder: string): string | undefined {
  const only = "interface.yaml";
  if (!existsSync(folder) || readdirSync(folder).join() !== only) return undefined;
  const text = readFileSync(join(folder, only), "utf8").replaceAll("\r\n", "\n");
  const names = projectNames(/^ {2}name: (.*)$/m.exec(text)?.[1] ?? "");
  if (names === undefined || templateFiles("empty", names).get(`spec/${only}`) !== text) return undefined;
  return names.name;
}
