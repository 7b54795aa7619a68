import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** The part of a lock file's entry that the bootstrap reads. */
interface LockEntry {
  readonly version?: string;
  readonly optional?: true;
  readonly dev?: true;
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const wanted: Readonly<Record<string, LockEntry>> = {
  "": { dependencies: { server: "1" }, optionalDependencies: { trace: "1", native: "1" } },
  "node_modules/server": { version: "1.0.0" },
  "node_modules/trace": { version: "1.0.0", optional: true },
  "node_modules/native": { version: "1.0.0", optionalDependencies: { "native-wasm": "1" } },
  "node_modules/native-wasm": {
    version: "1.0.0",
    optional: true,
    cpu: ["wasm32"],
    dependencies: { "wasm-help": "1" },
  },
  "node_modules/wasm-help": { version: "1.0.0", optional: true },
  "node_modules/tool": { version: "1.0.0", dev: true },
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bootstrap-"));
  mkdirSync(join(folder, "bin"));
  cpSync("bin/bootstrap.mjs", join(folder, "bin/bootstrap.mjs"));
  mkdirSync(join(folder, "node_modules/node/bin"), { recursive: true });
  writeFileSync(join(folder, "node_modules/node/bin/node"), "", { mode: 0o755 });
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: wanted }));
  writeFileSync(join(folder, "npm.mjs"), `console.error("npm ran: " + process.argv.slice(2).join(" "));`);
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the bootstrap over an installation without some packages, and gives what it printed. */
function bootstrapWithout(
  missing: readonly string[],
  versions: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): string {
  const present = Object.entries(wanted).filter(([path]) => path !== "" && !missing.includes(path));
  const packages = Object.fromEntries(
    present.map(([path, entry]) => [path, { ...entry, version: versions[path] ?? entry.version }]),
  );
  return bootstrapOver(JSON.stringify({ packages }), ...args);
}

/** Runs the bootstrap over npm's record of what is installed. */
function bootstrapOver(record: string, ...args: readonly string[]): string {
  writeFileSync(join(folder, "node_modules/.package-lock.json"), record);
  const env = {
    ...process.env,
    npm_execpath: join(folder, "npm.mjs"),
    npm_node_execpath: process.execPath,
    // Names the machine's own Node, which may be old: then the packages that need ours are added.
    npm_config_user_agent: "",
  };
  const run = spawnSync(process.execPath, [join(folder, "bin/bootstrap.mjs"), ...args], {
    env,
    encoding: "utf8",
  });
  expect(run.status).toBe(0);
  return run.stderr;
}

describe("the bootstrap installs what is missing and nothing else", () => {
  test("a whole installation", () => {
    expect(bootstrapWithout([])).toBe("");
  });

  test("a package for other machines is missing, and what it alone asks for", () => {
    expect(bootstrapWithout(["node_modules/native-wasm", "node_modules/wasm-help"])).toBe("");
  });

  test.each(["node_modules/server", "node_modules/trace", "node_modules/native", "node_modules/tool"])(
    "%s is missing",
    (path) => {
      expect(bootstrapWithout([path])).toContain("npm ran:");
    },
  );

  test("an optional package is missing where the server is started", () => {
    expect(bootstrapWithout(["node_modules/trace"], {}, "server")).toBe("");
  });

  test("npm's record of the installed packages is cut", () => {
    for (const args of [[], ["server"]]) {
      expect(bootstrapOver('{ "packages": {"', ...args)).toContain("npm ran: ci");
      rmSync(join(folder, "node_modules/.ledger-rpc-lock"));
    }
  });

  test("a package has another version", () => {
    expect(bootstrapWithout([], { "node_modules/server": "0.9.0" })).toContain("npm ran: ci");
  });

  test("a full installation that is old stays full where the server is started", () => {
    expect(bootstrapWithout([], { "node_modules/server": "0.9.0" }, "server")).toContain(
      "npm ran: ci --include=dev",
    );
    expect(bootstrapWithout([], {})).toBe("");
  });

  test("where the server is started for the first time, devDependencies are left out", () => {
    expect(bootstrapWithout(Object.keys(wanted), {}, "server")).toContain("npm ran: ci --omit=dev");
    const older = { "node_modules/server": "0.9.0" };
    rmSync(join(folder, "node_modules/.ledger-rpc-lock"));
    expect(bootstrapWithout(["node_modules/tool"], older, "server")).toContain("npm ran: ci --omit=dev");
  });

  test("npm of the path runs under the Node of the machine, then under the installed one", () => {
    const programs = join(folder, "programs");
    mkdirSync(programs);
    const npm = '#!/bin/sh\necho "npm $1 under $(command -v node)" >&2\n';
    writeFileSync(join(programs, "npm"), npm, { mode: 0o755 });
    const run = spawnSync(process.execPath, [join(folder, "bin/bootstrap.mjs")], {
      env: {
        PATH: [programs, "/usr/bin", "/bin"].join(delimiter),
        npm_config_user_agent: "npm/9 node/v20.1.0 linux",
      },
      encoding: "utf8",
    });
    expect(run.stderr.split("\n").filter((line) => line.startsWith("npm "))).toEqual([
      `npm ci under ${join(dirname(process.execPath), "node")}`,
      `npm install under ${join(folder, "node_modules/node/bin/node")}`,
    ]);
  });
});
