import { cpSync, globSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleProgram } from "./bundle.ts";
import { compileForNode, compilePages, dependenciesOf } from "./compile.ts";
import { emptyFolder, packed, type PackOptions, readManifest, writePackage } from "../../tools/pack/pack.ts";
import { root } from "./folder.ts";

/** Parts of the engine that the bank does without: they need packages of their own, and `ledger-rpc-runtime` has them. */
const ofOthers = [
  "runtime/auth/jwt/**",
  "runtime/transport/{stdio,websocket}/**",
  // Its operators have an interface that extends this one.
  "runtime/operations/admin/interface.ts",
  "runtime/server/administration.ts",
];

/** Packs the service: the runtime, the generated code that it serves, and `ledger-server`. Gives the path of the tarball. */
export async function packServer(options: PackOptions): Promise<string> {
  const folder = emptyFolder(options, "ledger-server");
  const generated = globSync("generated/*/*.ts", {
    cwd: root,
    exclude: ["**/schemas.ts", "generated/admin/**"],
  });
  const engine = globSync("runtime/**/*.ts", { cwd: root, exclude: ofOthers });
  compileForNode(
    folder,
    root,
    ["ledger/**/*.ts", ...engine, ...generated].map((pattern) => join(root, pattern)),
    24,
  );
  compileForBrowsers(folder);
  for (const file of globSync(
    "generated/*/{reference/**/*.{html,css,js,svg,webp,json,tar},**/validators/**/*.{js,d.ts}}",
    { cwd: root, exclude: ["generated/admin/**"] },
  ))
    cpSync(join(root, file), join(folder, file));
  for (const file of ["launch.mjs", "ledger-server.mjs"])
    cpSync(join(root, "bin", file), join(folder, "bin", file));
  await bundleProgram(folder, "ledger/cli/main.js");
  const { version: own, dependencies = {}, optionalDependencies = {} } = readManifest(root);
  const isOptional = ([name]: readonly [string, string]): boolean => name in optionalDependencies;
  const imported = Object.entries(dependenciesOf(folder));
  const version = options.version ?? own;
  const manifest = {
    name: "ledger-server",
    version,
    description: "The banking ledger service: signed JSON-RPC over HTTP, webhooks and double-entry books",
    type: "module",
    engines: { node: ">=24.7" },
    bin: { "ledger-server": "bin/ledger-server.mjs" },
    exports: { ...entries(folder), "./package.json": "./package.json" },
    files: ["bin", "bundle", "generated", "ledger", "runtime", "web"],
    // The Node that the service is tested on, for machines that have an older one.
    dependencies: {
      ...Object.fromEntries(imported.filter((entry) => !isOptional(entry))),
      node: dependencies["node"] ?? "",
    },
    // Loaded only where tracing is on.
    optionalDependencies: Object.fromEntries(imported.filter(isOptional)),
  };
  await writePackage(folder, manifest, { "README.md": readme(version) }, options);
  return packed(folder);
}

/** The pages that run in a browser, with the generated client that they call. */
function compileForBrowsers(folder: string): void {
  const sites = ["operator", "partner", "shared", "try"].map((site) => `web/${site}`);
  compilePages(folder, [...sites.map((site) => `${site}/**/*.ts`), "generated/*/client/operations.ts"]);
  const beside = [...sites.map((site) => `${site}/*.{html,css}`), "generated/*/{json-schema,openrpc}.json"];
  for (const file of globSync(beside, { cwd: root })) cpSync(join(root, file), join(folder, file));
  // The administration is of other applications: pages name its types.
  rmSync(join(folder, "generated/admin"), { recursive: true });
}

/** The parts of the engine that the package offers by a name of their own. */
const engineParts = {
  audit: "store/audit",
  auth: "auth",
  config: "operations/config",
  connections: "transport/http",
  contract: "contract",
  delivery: "events",
  http: "operations/http",
  json: "json",
  mail: "events/mail",
  pipeline: "pipeline",
  ports: "store/ports",
  server: "server",
  signing: "auth/signing",
  storage: "store",
  system: "operations/system",
  tracing: "operations/tracing",
};

/** The parts of the engine, and each folder of the bank that has an index, as entries of the package: `ledger-server/contract`. */
function entries(folder: string): Readonly<Record<string, object>> {
  const ofBank = globSync("ledger/*/index.js", { cwd: folder }).map(dirname);
  const parts = [
    ...ofBank.map((path) => [path.replace(/^ledger\//, ""), path] as const),
    ...Object.entries(engineParts).map(([name, path]) => [name, `runtime/${path}`] as const),
  ].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    parts.map(([name, path]) => [
      `./${name}`,
      { types: `./${path}/index.d.ts`, default: `./${path}/index.js` },
    ]),
  );
}

const readme = (version: string): string => `# ledger-server

Serves the documented ledger interface and its operator interface from SQLite or PostgreSQL.

\`\`\`sh
npm install ./ledger-server-${version}.tgz
npx --no-install ledger-server start      # a sandbox with demo data on http://127.0.0.1:8080
npx --no-install ledger-server --help     # migrate, operator, serve, backup, verify and the others
npx --no-install ledger-server settings   # every setting, its variable and its default
\`\`\`

It needs Node 24.7 or later and brings one along: where npm runs no install scripts, it runs on the machine's Node, if that is new
enough, and says so if it is not. The parts of the service are importable: \`ledger-server/contract\`,
\`ledger-server/http\`, \`ledger-server/pipeline\` and the others under \`exports\` of its package.json.
`;
