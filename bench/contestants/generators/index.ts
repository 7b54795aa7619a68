/** Generators of clients and zod schemas from an OpenAPI document, as their documentation shows them. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Generator {
  readonly name: string;
  /** The program, below `node_modules`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where its output goes, in the folder it runs in. */
  readonly out: string;
}

export const generators: readonly Generator[] = [
  {
    name: "@hey-api/openapi-ts",
    program: "@hey-api/openapi-ts/dist/run.mjs",
    args: ["--file", "openapi-ts.config.mjs"],
    out: "out/hey",
  },
  {
    name: "orval",
    program: "orval/dist/bin/orval.mjs",
    args: ["--config", "orval.config.mjs"],
    out: "out/orval",
  },
  {
    name: "@kubb",
    program: "@kubb/cli/bin/kubb.cjs",
    args: ["generate", "--config", "kubb.config.mjs", "--silent"],
    out: "out/kubb",
  },
  {
    name: "@redocly/cli generate-client",
    program: "@redocly/cli/bin/cli.js",
    args: "generate-client openapi.json --output out/redocly/client.ts --generator typescript --generator zod".split(
      " ",
    ),
    out: "out/redocly",
  },
];

const configs = {
  "openapi-ts.config.mjs": `export default {
  input: "./openapi.json", output: "./out/hey", plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "zod"], logs: { level: "silent", file: false },
};`,
  "orval.config.mjs": `export default {
  client: { input: "./openapi.json", output: { target: "./out/orval/client.ts", client: "fetch" } },
  zod: { input: "./openapi.json", output: { target: "./out/orval/zod.ts", client: "zod" } },
};`,
  "kubb.config.mjs": `import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import { pluginZod } from "@kubb/plugin-zod";
export default defineConfig({
  root: ".", input: { path: "./openapi.json" }, output: { path: "./out/kubb", format: false, lint: false },
  plugins: [pluginOas({ validate: false }), pluginTs(), pluginClient({ client: "fetch" }), pluginZod()],
});`,
};

/** Installs them on the first run, below `cache`, and gives that folder. */
export function installGenerators(cache: string): string {
  const manifest = readFileSync(join(import.meta.dirname, "package.json"), "utf8");
  const installed = join(cache, "installed.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === manifest) return cache;
  mkdirSync(cache, { recursive: true });
  copyFileSync(join(import.meta.dirname, "package.json"), join(cache, "package.json"));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  const { status } = spawnSync("npm", args, { cwd: cache, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("npm could not install the other generators");
  writeFileSync(installed, manifest);
  return cache;
}

/** Makes a folder, below where they are installed, in which all of them may run over one document. */
export function prepareRun(folder: string, openapi: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(configs)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  copyFileSync(openapi, join(folder, "openapi.json"));
}
