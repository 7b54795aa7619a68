/**
 * How large clients are in a browser's bundle, side by side: ours, and those that other tools generate from our
 * OpenAPI export of the same operations; and what its types cost a compilation. `node bench/client-size.ts`.
 *
 * The other tools are installed on the first run, at pinned versions, below `.cache/client-size`.
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const cache = join(root, ".cache/client-size");
const tools = {
  "@hey-api/openapi-ts": "0.99.0",
  orval: "8.31.0",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  // openapi-typescript prints types with it.
  typescript: "5.9.3",
};

interface Size {
  readonly minified: number;
  readonly gzip: number;
}

generateOthers();
const own = join(root, "generated/ledger/client");
const sizes = {
  ours: await sizesOf(
    `export { LedgerClient } from "${own}/index.ts";`,
    `export { connect, getAccount } from "${own}/index.ts";`,
  ),
  "@hey-api/openapi-ts": await sizesOf(
    'export * from "./hey/sdk.gen.ts"; export { client } from "./hey/client.gen.ts";',
    'export { getAccount } from "./hey/sdk.gen.ts"; export { client } from "./hey/client.gen.ts";',
  ),
  orval: await sizesOf(
    'export * from "./orval/client.ts";',
    'export { getAccount } from "./orval/client.ts";',
  ),
  "openapi-fetch": await sizesOf(
    'export { default } from "openapi-fetch";',
    'import createClient from "openapi-fetch"; export const client = createClient({ baseUrl: "" }); export const getAccount = (body) => client.POST("/jsonrpc#AccountService.GetAccount", { body });',
  ),
};

console.log("\nbytes, minified by rolldown and gzip -9     all operations      one operation");
for (const [name, { all, one }] of Object.entries(sizes)) {
  console.log(name.padEnd(42), cell(all), cell(one));
}
console.log(
  "\nOnly ours signs, retries, times out, redacts, tells errors apart and keeps digits; the others send what they get.",
);
const limits = { all: 4000, one: 2200 };
console.log(`limits of ours: ${limits.all} and ${limits.one} bytes of gzip`);
if (sizes.ours.all.gzip >= limits.all || sizes.ours.one.gzip >= limits.one) process.exitCode = 1;

const cost = typeCost();
console.log(
  `\ntypes: ${cost.empty.toFixed(0)} ms for an empty project, ${cost.added.toFixed(0)} ms more with the client`,
);
console.log("limit: 300 ms more");
if (cost.added >= 300) process.exitCode = 1;

function cell({ minified, gzip }: Size): string {
  return `${String(minified).padStart(7)} → ${String(gzip).padStart(5)} gz`.padEnd(20);
}

function generateOthers(): void {
  mkdirSync(cache, { recursive: true });
  const manifest = JSON.stringify({ private: true, type: "module", dependencies: tools });
  if (!existsSync(join(cache, "node_modules/orval"))) {
    writeFileSync(join(cache, "package.json"), manifest);
    run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent");
  }
  copyFileSync(join(root, "generated/ledger/openapi.json"), join(cache, "openapi.json"));
  const orval = {
    ledger: { input: "./openapi.json", output: { target: "./orval/client.ts", client: "fetch" } },
  };
  writeFileSync(join(cache, "orval.config.mjs"), `export default ${JSON.stringify(orval)};`);
  run("node_modules/.bin/openapi-ts", "--input", "openapi.json", "--output", "hey", "--silent");
  run("node_modules/.bin/orval", "--config", "orval.config.mjs");
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, [...args], { cwd: cache, stdio: ["ignore", "ignore", "inherit"] });
}

async function sizesOf(all: string, one: string): Promise<{ readonly all: Size; readonly one: Size }> {
  return { all: await sizeOf(all), one: await sizeOf(one) };
}

async function sizeOf(entry: string): Promise<Size> {
  const file = join(cache, "entry.js");
  writeFileSync(file, entry);
  const bundle = await rolldown({ input: file, platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "es", minify: true, comments: { annotation: false } });
  const code = output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  return { minified: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length };
}

/** The median of a few compilations of a project that uses the packed client, beside those of one that does not. */
function typeCost(): { readonly empty: number; readonly added: number } {
  const out = mkdtempSync(join(tmpdir(), "client-types-"));
  execFileSync(process.execPath, ["bin/pack.ts", "client", "ledger", "--out", out], { cwd: root });
  mkdirSync(join(out, "node_modules"));
  symlinkSync(join(out, "ledger-client"), join(out, "node_modules/ledger-client"));
  const compilerOptions = { module: "nodenext", target: "es2023", strict: true, noEmit: true, types: [] };
  writeFileSync(join(out, "package.json"), '{ "type": "module" }');
  writeFileSync(join(out, "empty.ts"), "export const nothing = 1;\n");
  writeFileSync(
    join(out, "used.ts"),
    'import { LedgerClient, type ClientOptions } from "ledger-client";\nexport const call = (options: ClientOptions) => new LedgerClient(options).account.get({ ID: "" });\n',
  );
  const compile = (file: string): number => {
    const config = join(out, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
    const startedAt = performance.now();
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", config]);
    return performance.now() - startedAt;
  };
  const times = Array.from({ length: 9 }, () => ({ empty: compile("empty.ts"), used: compile("used.ts") }));
  rmSync(out, { recursive: true });
  const empty = median(times.map((time) => time.empty));
  return { empty, added: median(times.map((time) => time.used)) - empty };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
