import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const repository = join(import.meta.dirname, "../..");
const tools = join(repository, "node_modules/.bin");

/** A folder of its own in which only the packed client is installed. */
export interface PackedProject {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a tool of the repository, or a program by its path, in it and gives what it printed; rejects with that if it failed. */
  run(tool: string, ...args: readonly string[]): Promise<string>;
  remove(): void;
}

/** A client as its publisher packs it. */
export interface PackedClient {
  readonly tarball: string;
  /** Where the package's files are. */
  readonly folder: string;
}

/**
 * Packs the client with these options, once for all tests and runs with the same sources. The result is kept under
 * `node_modules/.cache` by a digest of its sources.
 */
export function packClient(...options: readonly string[]): PackedClient {
  const digest = createHash("sha256").update(JSON.stringify(options));
  const sources = ["bin/**/*.ts", "generated/ledger/client/*", "package.json", "package-lock.json"];
  for (const file of globSync(sources, { cwd: repository }).toSorted()) {
    digest.update(`\n${file}\n`).update(readFileSync(join(repository, file)));
  }
  const cache = join(repository, "node_modules/.cache/packed-client");
  const kept = join(cache, digest.digest("hex"));
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true });
    const out = mkdtempSync(join(cache, "new-"));
    const args = ["bin/pack.ts", "client", "ledger", "--out", out, ...options];
    try {
      execFileSync(process.execPath, args, { cwd: repository, stdio: ["ignore", "ignore", "pipe"] });
      renameSync(out, kept);
    } catch (error) {
      rmSync(out, { recursive: true });
      // Another test may have been faster.
      if (!existsSync(kept)) throw error;
    }
  }
  const [tarball = ""] = readdirSync(kept).filter((file) => file.endsWith(".tgz"));
  return { tarball: join(kept, tarball), folder: join(kept, "ledger-client") };
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
        const { stdout } = await promisify(execFile)(resolve(tools, tool), [...args], {
          cwd: root,
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
