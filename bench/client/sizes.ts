import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { generators, installGenerators, prepareRun } from "../contestants/generators/index.ts";
import { ownName, repository } from "../harness/service.ts";

/** The contents of a bundle. The zod schemas come without zod itself, which is the same for all. */
export const contents = ["all operations", "one operation", "one operation and its zod schema"] as const;

type Contents = (typeof contents)[number];

/** Where clients of our own OpenAPI export have what is bundled; the folder is that of their output. */
const modules: readonly {
  readonly name: string;
  readonly out: string;
  readonly all: string;
  readonly one: string;
  readonly schema: string;
}[] = [
  {
    name: "@hey-api/openapi-ts",
    out: "hey",
    all: 'export * from "./sdk.gen.ts"; export { client } from "./client.gen.ts";',
    one: 'export { getAccount } from "./sdk.gen.ts"; export { client } from "./client.gen.ts";',
    schema: 'export { zGetAccountPayload } from "./zod.gen.ts";',
  },
  {
    name: "orval",
    out: "orval",
    all: 'export * from "./client.ts";',
    one: 'export { getAccount } from "./client.ts";',
    schema: 'export { GetAccountBody } from "./zod.ts";',
  },
  {
    name: "@kubb",
    out: "kubb",
    all: 'export * from "./clients/index.ts";',
    one: 'export { getAccount } from "./clients/getAccount.ts";',
    schema: 'export { getAccountPayloadSchema } from "./zod/getAccountPayloadSchema.ts";',
  },
  {
    name: "@redocly/cli generate-client",
    out: "redocly",
    all: 'export * from "./client.ts";',
    one: 'export { getAccount, configure } from "./client.ts";',
    schema: 'export { GetAccountPayloadSchema } from "./client.zod.ts";',
  },
];

/** Bytes of bundles for browsers, minified and by gzip -9: ours, and those of clients that others generate. */
export async function bundleSizes(): Promise<ReadonlyMap<Contents, ReadonlyMap<string, number>>> {
  const cache = installGenerators(join(repository, ".cache/bench-generators"));
  const folder = join(cache, "bundles");
  prepareRun(folder, join(repository, "generated/ledger/openapi.json"));
  for (const { name, program, args } of generators) {
    const all = [join(cache, "node_modules", program), ...args];
    const { status, stderr } = spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stderr}`);
  }
  const own = {
    name: ownName,
    folder: join(repository, "generated/ledger/client"),
    all: 'export { LedgerClient } from "./index.ts";',
    one: 'export { connect, getAccount } from "./index.ts";',
    schema: 'export { GetAccountPayload } from "./schemas.ts";',
  };
  const others = modules.map((each) => ({ ...each, folder: join(folder, "out", each.out) }));
  const found = new Map(contents.map((each) => [each, new Map<string, number>()]));
  for (const { name, folder: from, all, one, schema } of [own, ...others]) {
    for (const [content, entry] of [all, one, one + schema].entries()) {
      const bytes = await gzipBytes(entry.replaceAll('"./', `"${from}/`), join(folder, "entry"));
      found.get(contents[content] ?? "all operations")?.set(name, bytes);
    }
  }
  return found;
}

async function gzipBytes(entry: string, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const input = join(folder, "entry.ts");
  writeFileSync(input, entry);
  const bundle = await rolldown({ input, platform: "browser", external: ["zod"], logLevel: "silent" });
  const { output } = await bundle.generate({ format: "es", minify: true, comments: { annotation: false } });
  const code = output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  return gzipSync(code, { level: 9 }).length;
}
