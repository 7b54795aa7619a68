import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { repository } from "./packed-command.ts";

/** Tarballs of what a project installs, in a folder of their own, as a team elsewhere has them. */
export interface Tarballs {
  readonly folder: string;
  readonly generator: string;
  readonly runtime: string;
  remove(): void;
}

export function packTarballs(): Tarballs {
  const folder = mkdtempSync(join(tmpdir(), "ledger-tarballs-"));
  const pack = (kind: string): string => {
    const args = ["bin/pack.ts", kind, "--out", folder];
    return execFileSync(process.execPath, args, { cwd: repository, encoding: "utf8" }).trim();
  };
  const [generator, runtime] = [pack("generator"), pack("runtime")];
  return { folder, generator, runtime, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a command printed, both ways. */
export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as a user does, outside of the repository. Does not reject. */
export function runIn(
  folder: string,
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  return new Promise((resolve, reject) => {
    // npx waits for what is on its input.
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const options = { cwd: folder, env: { ...cleanEnvironment(), ...env }, stdio };
    const child = spawn(command, args, options);
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ exitCode: code ?? -1, stdout: output.stdout, stderr: ownText(output.stderr) }),
    );
  });
}

/** The same; rejects with what was printed where it fails. */
export async function succeedIn(
  folder: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { exitCode, stdout, stderr } = await runIn(folder, command, env);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} gave ${exitCode}\n${stdout}\n${stderr}`);
  return stdout;
}

/** `npm install`, of what the registry has and npm keeps. */
export async function installIn(folder: string): Promise<void> {
  await succeedIn(folder, ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"]);
}

/** Copies an example out of the repository, as a project that installs the tarballs. */
export function copyExample(name: string, tarballs: Tarballs): string {
  const folder = join(mkdtempSync(join(tmpdir(), "ledger-example-")), name);
  cpSync(join(repository, "examples", name), folder, {
    recursive: true,
    filter: (path) => !["node_modules", "generated", ".cache", "package-lock.json"].includes(basename(path)),
  });
  const file = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    if ("ledger-rpc" in dependencies) dependencies["ledger-rpc"] = fileOf(folder, tarballs.generator);
    if ("ledger-rpc-runtime" in dependencies)
      dependencies["ledger-rpc-runtime"] = fileOf(folder, tarballs.runtime);
  }
  writeFileSync(file, JSON.stringify(manifest));
  return folder;
}

/** A service of a project, started by the command of its `npm start` on a free port. */
export interface Started {
  readonly port: string;
  /** Stops it by SIGTERM. Rejects where it does not end with exit code 0. */
  stop(): Promise<void>;
}

/** Starts it, or another program of it, and waits for the line that names its address. */
export async function startIn(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  program?: string,
): Promise<Started & { readonly lines: readonly string[] }> {
  const manifest: { scripts: { start: string } } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const started = manifest.scripts.start.split(" ").slice(1);
  const child = spawn(process.execPath, program === undefined ? started : [program], {
    cwd: folder,
    env: { ...cleanEnvironment(), PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    const stop = async (): Promise<void> => {
      child.kill();
      const ended = await exited;
      if (ended !== 0) throw new Error(`the service ended with ${String(ended)}`);
    };
    return { port, lines, stop };
  }
  throw new Error(`the service in ${folder} ended before it said where it listens: ${lines.join("\n")}`);
}

function fileOf(folder: string, tarball: string): string {
  return `file:${relative(folder, tarball)}`;
}

/** Without what npm and vitest add, so that a project sees what a shell has; how npm reaches its registry stays. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_)|VITEST|NODE_(?:ENV|OPTIONS)|TEST)/.test(name),
  );
  return { ...Object.fromEntries(own), NO_COLOR: "1", npm_config_update_notifier: "false" };
}

/** Without warnings of npm about the machine it runs on. */
function ownText(text: string): string {
  return text.replaceAll(/^npm warn .*\n?/gm, "");
}
