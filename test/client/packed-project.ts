import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const repository = join(import.meta.dirname, "../..");
const tools = join(repository, "node_modules/.bin");

/** A folder of its own in which only the packed client is installed. */
export interface PackedProject {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a tool of the repository in it and gives what it printed; rejects with that if it failed. */
  run(tool: string, ...args: readonly string[]): Promise<string>;
  remove(): void;
}

/** A client as its publisher packs it. */
export interface PackedClient {
  readonly tarball: string;
  /** Where the package's files are. */
  readonly folder: string;
  remove(): void;
}

export function packClient(): PackedClient {
  const out = mkdtempSync(join(tmpdir(), "client-pack-"));
  const args = ["bin/pack.ts", "client", "ledger", "--out", out];
  const printed = execFileSync(process.execPath, args, { cwd: repository, encoding: "utf8" });
  return {
    tarball: printed.trim(),
    folder: join(out, "ledger-client"),
    remove: () => rmSync(out, { recursive: true }),
  };
}

/** Installs a tarball as a user would, with tarballs of what it depends on; the peer of its schemas is there as well. */
export function createPackedProject(
  tarball: string,
  type: "module" | "commonjs",
  dependencies: readonly string[] = [],
): PackedProject {
  const root = mkdtempSync(join(tmpdir(), "packed-client-"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ private: true, type }));
  execFileSync(
    "npm",
    ["install", "--offline", "--no-audit", "--no-fund", "--silent", tarball, ...dependencies],
    {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  for (const peer of ["zod", "@types"]) {
    symlinkSync(join(repository, "node_modules", peer), join(root, "node_modules", peer));
  }
  return {
    root,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    async run(tool, ...args) {
      try {
        const { stdout } = await promisify(execFile)(join(tools, tool), [...args], {
          cwd: root,
          // What keeps a program from ending is a defect too: an attempt's time limit is longer than this.
          timeout: 600_000,
          env: { PATH: process.env["PATH"] ?? "", HOME: root, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
        });
        return stdout;
      } catch (error) {
        const { stdout = "", stderr = "" } = Object(error);
        throw new Error(`${tool} ${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
