import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { runtimeEntries } from "../../bin/pack/folder.ts";
import { runProgram } from "../../generator/cli/program.ts";

type Environment = Readonly<Record<string, string>>;

export const repository = join(import.meta.dirname, "../..");
const program = join(repository, "generator/cli/main.ts");

/** The end of a command. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of its own in a temporary folder, on which the real command is run. */
export interface Project {
  readonly root: string;
  /** Runs the command in this process, in a folder of the project: at its root where none is given. */
  run(args: readonly string[], environment?: Environment, folder?: string): Promise<Run>;
  /** Runs the command as users do, in a process of its own. */
  runProcess(args: readonly string[], environment?: Environment, folder?: string): Promise<Run>;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Writes a file at one stroke: one that is written in place may be looked at in between, however short that is. */
  replace(path: string, text: string): void;
  remove(path: string): void;
  /** The state of every file by path: differs when a file was written, even with the same bytes. */
  state(): ReadonlyMap<string, string>;
  dispose(): void;
}

/** Makes a project out of folders, each copied over the ones before it. */
export function createProject(...folders: readonly string[]): Project {
  const root = mkdtempSync(join(tmpdir(), "ledger-rpc-project-"));
  for (const folder of folders) cpSync(folder, root, { recursive: true });
  return {
    root,
    run: (args, environment = {}, folder = ".") => runHere(join(root, folder), args, environment),
    runProcess: (args, environment = {}, folder = ".") => spawned(join(root, folder), args, environment),
    read: (path) => readFileSync(join(root, path), "utf8"),
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    replace(path, text) {
      const temporary = `${root}.saved`;
      writeFileSync(temporary, text);
      renameSync(temporary, join(root, path));
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    state: () => new Map(filesBelow(root).map((path) => [path, stateOf(join(root, path))])),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Gives a project the repository's runtime and packages, so that what is generated compiles and runs. */
export function linkRepository({ root }: Project): void {
  for (const folder of ["ledger", "runtime", "node_modules"])
    symlinkSync(join(repository, folder), join(root, folder));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
}

/** The runtime as projects find it, of this repository's sources; outside of node_modules, so that Node takes TypeScript. */
export function linkRuntime({ root }: Project, projects: readonly string[]): void {
  const runtime = join(root, "runtime-package");
  mkdirSync(runtime, { recursive: true });
  for (const folder of ["runtime", "spec"]) symlinkSync(join(repository, folder), join(runtime, folder));
  const exports = Object.fromEntries(
    Object.entries(runtimeEntries()).map(([name, file]) => [name, `./${file}`]),
  );
  writeFileSync(join(runtime, "package.json"), JSON.stringify({ name: "ledger-rpc-runtime", exports }));
  for (const project of projects) {
    const modules = join(root, project, "node_modules");
    mkdirSync(modules);
    for (const name of ["jose", "express"])
      symlinkSync(join(repository, "node_modules", name), join(modules, name));
    symlinkSync(runtime, join(modules, "ledger-rpc-runtime"));
  }
}

/** Loading the generator costs more than most commands: those who run tests have it loaded. */
async function runHere(cwd: string, args: readonly string[], environment: Environment): Promise<Run> {
  const printed = { stdout: "", stderr: "" };
  const into = (stream: keyof typeof printed) => ({
    write(text: string) {
      printed[stream] += text;
    },
  });
  const exitCode = await runProgram(args, {
    cwd,
    env: withoutColor(environment),
    stdout: into("stdout"),
    stderr: into("stderr"),
  });
  return { exitCode, ...printed };
}

function spawned(cwd: string, args: readonly string[], environment: Environment): Promise<Run> {
  return new Promise((resolve, reject) => {
    const env = withoutColor(environment);
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ exitCode: code ?? -1, ...output }));
  });
}

function withoutColor(environment: Environment): NodeJS.ProcessEnv {
  return { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...environment };
}

/** What is linked is not walked: other tests write below node_modules meanwhile. */
function filesBelow(root: string): readonly string[] {
  const outside = new Set([".cache", "ledger", "node_modules", "runtime"]);
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !outside.has(name));
  return entries
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })
        : [entry],
    )
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .toSorted();
}

function stateOf(path: string): string {
  const { mtimeNs, ino } = statSync(path, { bigint: true });
  return `${ino} ${mtimeNs} ${readFileSync(path, "utf8")}`;
}
