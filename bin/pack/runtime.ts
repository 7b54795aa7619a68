import { cpSync, globSync } from "node:fs";
import { join } from "node:path";
import { compilePages, compileForNode, dependenciesOf } from "./compile.ts";
import { emptyFolder, packed, type PackOptions, readManifest, writePackage } from "../../tools/pack/pack.ts";
import { root, runtimeEntries } from "./folder.ts";

/** The packages that an application installs beside it where it uses the part that needs them. */
const optionalPeers = [
  "@bomb.sh/tab",
  "express",
  "jose",
  "nodemailer",
  "pg",
  "pino",
  "prom-client",
  "undici",
  "ws",
  "yaml",
];

/** The version of the contract between generated code and the runtime: `contract` in every descriptor. */
const contractVersion = 1;

/** Packs what services import: the entries, and what they lead to. Gives the path of the tarball. */
export async function packRuntime(options: PackOptions): Promise<string> {
  const folder = emptyFolder(options, "ledger-rpc-runtime");
  compileForNode(
    folder,
    root,
    [
      ...Object.values(runtimeEntries()),
      "runtime/contract/**/*.ts",
      // The compiler knows no alternatives in braces.
      "runtime/**/*-thread.ts",
      "runtime/**/*-worker.ts",
    ].map((file) => join(root, file)),
  );
  compilePages(folder, ["web/console/console.ts"]);
  const beside = [
    "generated/admin/json-schema.json",
    "generated/admin/validators/*.{js,d.ts}",
    "spec/admin/**/*.yaml",
    "web/{console,shared}/*.{html,css}",
  ];
  for (const file of globSync(beside, { cwd: root })) cpSync(join(root, file), join(folder, file));
  const { version: own, devDependencies = {} } = readManifest(root);
  const imported = Object.entries(dependenciesOf(folder));
  const peers = imported.filter(isPeer).map(([name, version]) => [name, `^${version}`] as const);
  const version = options.version ?? own;
  const manifest = {
    name: "ledger-rpc-runtime",
    version,
    description:
      "Serves interfaces that ledger-rpc has generated: JSON-RPC 2.0 over HTTP, WebSocket and pipes",
    type: "module",
    engines: { node: ">=22.12" },
    exports: { ...entries(), "./package.json": "./package.json" },
    files: ["generated", "runtime", "spec", "web"],
    ledgerRpc: { contract: contractVersion },
    dependencies: Object.fromEntries(imported.filter((entry) => !isPeer(entry))),
    peerDependencies: { ...Object.fromEntries(peers), ...peerTypes(devDependencies, peers) },
    peerDependenciesMeta: optional([
      ...peers.map(([name]) => name),
      ...Object.keys(peerTypes(devDependencies, peers)),
    ]),
  };
  await writePackage(folder, manifest, { "README.md": readme(version) }, options);
  return packed(folder);
}

function isPeer([name]: readonly [string, string]): boolean {
  return optionalPeers.includes(name) || name.startsWith("@opentelemetry/");
}

/** Types of peers that bring none of their own: declarations here name them. */
function peerTypes(
  devDependencies: Readonly<Record<string, string>>,
  peers: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  const types = peers.map(([name]) => `@types/${name}`).filter((name) => name in devDependencies);
  return Object.fromEntries(types.map((name) => [name, `^${devDependencies[name]}`]));
}

function optional(names: readonly string[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, { optional: true }]));
}

/** The exports of the package. */
function entries(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(runtimeEntries()).map(([name, file]) => {
      const path = `./${file.replace(/\.ts$/, "")}`;
      return [name, { types: `${path}.d.ts`, default: `${path}.js` }];
    }),
  );
}

const readme = (version: string): string => `# ledger-rpc-runtime

Serves interfaces that ledger-rpc has generated from a spec: JSON-RPC 2.0 over HTTP in any Express app, over WebSocket and
over standard input and output, with authentication schemes as the spec declares them.

\`\`\`sh
npm install ./ledger-rpc-runtime-${version}.tgz express
\`\`\`

\`\`\`ts
import express from "express";
import { rpc, serve } from "ledger-rpc-runtime/express";
import { tasksInterface } from "../generated/methods.ts";
import { handlers } from "./handlers/index.ts";

const app = express().use("/rpc", rpc(tasksInterface, handlers, { context: () => ({}) }));
const { url, server, close } = await serve(app, { port: 3000 });
\`\`\`

The same service over WebSocket and over standard input and output, where it can send notifications:

\`\`\`ts
const service = createService(tasksInterface, handlers, { context: () => ({}) });
rpcWebSocket(service).attach(server);
await rpcStdio(service).done;
\`\`\`

Messages have at most 1 MiB, 64 levels and 30 seconds, and 128 calls are worked on at once: \`limits\` changes that.

| import | what it offers |
| ------ | -------------- |
| \`ledger-rpc-runtime\` | the service itself, without a transport |
| \`ledger-rpc-runtime/contract\` | the types that generated code and handlers share, \`RpcError\` |
| \`ledger-rpc-runtime/express\` | a request handler for Express |
| \`ledger-rpc-runtime/websocket\` | the same over WebSocket |
| \`ledger-rpc-runtime/stdio\` | the same over standard input and output |
| \`ledger-rpc-runtime/sqlite\` | a store over \`node:sqlite\`, with a memory for \`Idempotency-Key\` |
| \`ledger-rpc-runtime/auth/…\` | authentication schemes, one entry each |
| \`ledger-rpc-runtime/server\` | \`createServer(application, settings)\`: both protocols, SQLite or PostgreSQL, webhooks, audit |
| \`ledger-rpc-runtime/administration\` | an interface for operators, and its console: users, keys, subscriptions, deliveries, mails, audit |
| \`ledger-rpc-runtime/commands\` | the command line of such a server: \`serve\`, \`migrate\`, \`users\`, \`backup\`, \`verify\` |
| \`ledger-rpc-runtime/store\` | tables and queries of an application |
| \`ledger-rpc-runtime/testing\` | calls a service in tests, without a network |

Packages that only a part needs are optional. The WebSocket transport needs \`ws\`, JSON Web Tokens need \`jose\`. The server
needs \`express\`, \`pino\`, \`prom-client\` and \`undici\`; with PostgreSQL it needs \`pg\`, with SMTP \`nodemailer\`, with a file of
settings \`yaml\`. It runs on Node 24.7 and later, everything else on Node 22.12 or later.
`;
