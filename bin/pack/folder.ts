import { existsSync, globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { configFile, loadConfig } from "../../generator/cli/config.ts";
import { build, builtParts } from "../../tools/built.ts";

export const root = join(import.meta.dirname, "../..");

/** The generated part of an interface that a package is made of. @throws Error if there is no such interface */
export function generatedFolder(name: string, part: "client" | "conformance"): string {
  const folder = join(root, "generated", name, part);
  if (!existsSync(folder))
    throw new Error(`${folder} is missing: is ${name} an interface of ledger-rpc.yaml?`);
  return folder;
}

/** Builds what is not committed of every interface. */
export async function buildAll(): Promise<void> {
  const { value: config } = loadConfig(join(root, configFile), "read");
  if (config === undefined) throw new Error(`${configFile} has errors: \`npm run check\` shows them`);
  const reason = await build(config, builtParts(config));
  if (reason !== undefined) throw new Error(reason);
}

/** What `ledger-rpc-runtime` exports: names of entries, and the module of each. */
export function runtimeEntries(): Readonly<Record<string, string>> {
  const schemes = globSync("runtime/auth/*/index.ts", {
    cwd: root,
    exclude: ["runtime/auth/{signed-envelope,signing}/**"],
  }).toSorted();
  return {
    ".": "runtime/index.ts",
    "./administration": "runtime/server/administration.ts",
    "./commands": "runtime/operations/cli/index.ts",
    "./contract": "runtime/contract/index.ts",
    "./express": "runtime/transport/http/endpoint.ts",
    "./server": "runtime/server/index.ts",
    "./sqlite": "runtime/pipeline/sqlite-store.ts",
    "./stdio": "runtime/transport/stdio/index.ts",
    "./store": "runtime/store/tables/index.ts",
    "./testing": "runtime/testing.ts",
    "./websocket": "runtime/transport/websocket/index.ts",
    ...Object.fromEntries(schemes.map((file) => [`./auth/${basename(dirname(file))}`, file])),
  };
}
