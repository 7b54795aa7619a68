import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { circlesOfFiles, circlesOfFolders, importedFiles, importGraph, textOf } from "./import-graph.ts";

const root = join(import.meta.dirname, "../..");

/**
 * The floors of the house, from the ground up: a folder imports from itself and from the lines above it, never from
 * its own line's other entries.
 */
const conformanceFloors = [
  ["message-of.ts", "omit-undefined.ts"],
  ["suite"],
  ["values"],
  ["samples"],
  ["request"],
  ["cases"],
  ["response"],
  ["session"],
  ["scenario"],
  ["exploration"],
  ["runner"],
  ["report"],
  ["cli", "describe.ts"],
  ["index.ts"],
  ["package"],
];
const generatorFloors = [
  ["source"],
  ["diagnostics"],
  ["syntax"],
  ["spec"],
  ["model"],
  ["print"],
  ["diff", "import", "mock"],
  ["emit"],
  ["output", "collection", "pack", "site"],
  ["cli"],
];
const runtimeFloors = [
  ["connections", "contract", "json"],
  ["config"],
  ["domain"],
  ["ports"],
  ["signing", "audit"],
  ["pipeline", "auth", "storage", "delivery", "mail", "system", "tracing"],
  ["handlers"],
  ["seed"],
  ["http"],
  ["server"],
  ["cli"],
];
const rpcFloors = [
  ["auth", "codec"],
  ["service"],
  ["http"],
  ["express.ts", "sqlite.ts", "websocket", "stdio", "testing.ts"],
  ["index.ts"],
];
const webFloors = [["shared"], ["console", "partner", "try"]];
const floorsOf: Readonly<Record<string, readonly (readonly string[])[]>> = {
  conformance: conformanceFloors,
  generator: generatorFloors,
  rpc: rpcFloors,
  runtime: runtimeFloors,
  web: webFloors,
};
/** The folders of handlers, one for each interface. */
const handlerFolders = [
  ...readFileSync(join(root, "ledger-rpc.yaml"), "utf8").matchAll(/handlers: runtime\/handlers\/([\w-]+)/g),
].map(([, folder = ""]) => folder);
/** The folders of authentication schemes: what schemes share lies below them. */
const authSchemeFolders = readdirSync(join(root, "runtime/auth")).filter(
  (name) => !name.endsWith(".ts") && name !== "message-signatures",
);
/** The folders of stores: what they share lies below them, what works with several of them above. */
const storeEngines = readdirSync(join(root, "runtime/storage")).filter(
  (name) =>
    !name.endsWith(".ts") &&
    !["tables", "condition", "common", "sql", "memory", "directory", "move"].includes(name),
);
/** Emitters that import no other but `support`: a new target needs no entry here. */
const baseEmitters = readdirSync(join(root, "generator/emit")).filter(
  (name) =>
    !name.endsWith(".ts") &&
    !["support", "methods", "client", "fakes", "revisions", "handlers"].includes(name),
);
/** The floors inside a folder. */
const innerFloors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "runtime/handlers": [["presenters"], ["services"], handlerFolders],
  "generator/diff": [["model"], ["rules"], ["compare"], ["report"], ["migration"], ["index.ts"]],
  "generator/emit": [
    ["emitter.ts", "folders.ts"],
    ["support"],
    baseEmitters,
    ["methods", "client"],
    ["revisions", "fakes"],
    ["handlers"],
    ["index.ts"],
  ],
  "runtime/delivery": [
    ["model"],
    ["outbox", "transport", "signing", "operations", "maintenance"],
    ["outcomes"],
    ["dispatch"],
    ["delivery.ts"],
    ["index.ts"],
  ],
  "rpc/auth": [
    ["port.ts"],
    ["credentials.ts", "declared.ts", "replay-register.ts", "request-auth.ts", "take-once.ts"],
    ["authenticator.ts", "api-key", "basic", "bearer", "client-cert", "hmac", "jwt", "message-signature"],
  ],
  "runtime/auth": [
    ["caller-cache.ts", "credential.ts", "key-uses.ts", "message-signatures"],
    authSchemeFolders,
    ["index.ts"],
  ],
  "runtime/http": [
    ["content-type.ts", "request-id.ts", "request-path.ts"],
    ["load-gauges.ts", "request-log.ts", "send-response.ts", "service-rate.ts"],
    ["metrics.ts", "work-limiter.ts"],
    ["overload.ts"],
    ["rpc.ts"],
    ["options.ts"],
    ["pages"],
    ["app.ts"],
    ["listen.ts"],
    ["index.ts"],
  ],
  "runtime/connections": [
    [
      "address.ts",
      "body-room.ts",
      "fifo.ts",
      "gather.ts",
      "is-below-mount.ts",
      "loop-turn.ts",
      "paced-reads.ts",
      "request-head.ts",
      "unread-room.ts",
    ],
    ["connection.ts", "read-body.ts", "unread-answers.ts"],
    ["connection-burst.ts", "connection-guard.ts", "read-budget.ts", "read-turns.ts", "refuse-invalid.ts"],
    ["request-gate.ts"],
    ["drain.ts", "request-tracker.ts"],
    ["guarded-server.ts"],
    ["index.ts"],
  ],
  "runtime/pipeline": [
    ["call-context.ts", "fault.ts", "method-paths.ts", "options.ts", "rate-limiter.ts", "raw-exchange.ts"],
    ["traced.ts"],
    ["decode"],
    ["authenticate.ts", "failure-report.ts"],
    ["authorize.ts"],
    ["validate"],
    ["encode"],
    ["error-response.ts", "revisions"],
    ["dispatch"],
    ["revision-pipeline.ts"],
    ["pipeline.ts"],
    ["index.ts"],
  ],
  "rpc/service": [
    ["deadline.ts", "give-way.ts", "limiter.ts", "call-error.ts", "store.ts"],
    ["options.ts"],
    [
      "admit.ts",
      "authorize.ts",
      "find-method.ts",
      "failure.ts",
      "idempotency.ts",
      "limits.ts",
      "peer.ts",
      "rate-limiter.ts",
      "typed.ts",
      "validate.ts",
    ],
    ["check-start.ts", "check-transport.ts", "dispatch.ts", "notification.ts", "outcome.ts"],
    ["answer-call.ts"],
    ["answer-message.ts"],
    ["service.ts"],
    ["index.ts"],
  ],
  "runtime/storage": [
    ["tables", "condition"],
    ["common"],
    ["sql", "memory"],
    storeEngines,
    ["directory"],
    ["move", "index.ts"],
  ],
};

/** Files that nothing imports because they are where a program or a folder that is discovered begins. */
const entryPoints = [
  /^generator\/cli\/main\.ts$/,
  /^conformance\/package\/(?:cli|index|main)\.ts$/,
  /^generator\/emit\/[^/]+\/index\.ts$/,
  /^rpc\/auth\/[^/]+\/index\.ts$/,
  /^rpc\/(?:[^/]+|(?:stdio|websocket)\/index)\.ts$/,
  /^runtime\/cli\/main\.ts$/,
  /^runtime\/.*-(?:thread|worker)\.ts$/,
  /\.d\.ts$/,
  /^generator\/.*\.worker\.ts$/,
  /^web\/(?:console\/console|partner\/partner|try\/try)\.ts$/,
];

const importsOf = importGraph(["conformance", "generator", "rpc", "runtime", "templates/client", "web"]);
const files = [...importsOf.keys()];
/** What emitters say: they name the modules of a client, which they copy. */
const emitterText = files
  .filter((file) => file.startsWith("generator/emit/"))
  .map(textOf)
  .join("\n");

describe("floors", () => {
  test("a folder imports only from the floors above it", () => {
    const breaches = [];
    for (const [file, imports] of importsOf) {
      for (const imported of imports)
        if (!isAllowed(file, imported)) breaches.push(`${file} imports ${imported}`);
    }
    expect(breaches).toEqual([]);
  });

  test.for(Object.entries(innerFloors))(
    "a room of %s imports only from the floors above it",
    ([folder, rows]) => {
      const room = (file: string): string | undefined =>
        file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split("/")[0] : undefined;
      const floorOf = (name: string): number => rows.findIndex((rooms) => rooms.includes(name));
      const breaches = [];
      for (const [file, imports] of importsOf) {
        const own = room(file);
        for (const imported of own === undefined ? [] : imports) {
          const other = room(imported);
          if (own === undefined || other === undefined || own === other) continue;
          if (floorOf(other) < 0 || floorOf(other) >= floorOf(own))
            breaches.push(`${file} imports ${imported}`);
        }
      }
      expect(breaches).toEqual([]);
    },
  );

  test("the generated service imports only the runtime's contract, its client nothing", () => {
    const breaches = [];
    for (const file of globSync("generated/**/*.{ts,js}", { cwd: root })) {
      const own = file.includes("/client/") ? posix.dirname(file) : file.split("/").slice(0, 2).join("/");
      for (const imported of importedFiles(file)) {
        if (imported.startsWith(`${own}/`) || imported === "runtime/contract/index.ts") continue;
        breaches.push(`${file} imports ${imported}`);
      }
    }
    expect(breaches).toEqual([]);
  });

  test("no file imports itself by way of others", () => {
    expect(circlesOfFiles(importsOf)).toEqual([]);
    expect(circlesOfFiles(importGraph(["bench", "bin", "generated", "test"]))).toEqual([]);
  });

  test("the files and folders of each folder do not import each other in a circle", () => {
    expect(circlesOfFolders(importsOf)).toEqual([]);
    expect(circlesOfFolders(importGraph(["bench", "bin", "generated"]))).toEqual([]);
  });

  test("every file is used", () => {
    const used = new Set([...importsOf.values()].flat());
    const dead = files.filter((file) => !used.has(file) && !entryPoints.some((entry) => entry.test(file)));
    const isCopied = (file: string): boolean =>
      file.startsWith("templates/client/") &&
      [posix.basename(file), posix.relative("templates/client", file)].some((name) =>
        emitterText.includes(`"${name}"`),
      );
    expect(dead.filter((file) => !isCopied(file))).toEqual([]);
  });

  test("only the folder of stores knows which engines there are", () => {
    const outside = [...importsOf].filter(([file]) => !file.startsWith("runtime/storage/"));
    const engineFolders = ["memory", "sql", ...storeEngines].map((name) => `runtime/storage/${name}/`);
    const knowing = outside.flatMap(([file, imports]) =>
      imports.some((imported) => engineFolders.some((folder) => imported.startsWith(folder))) ? [file] : [],
    );
    expect(knowing).toEqual([]);
  });

  test("only one module each touches yaml and handlebars in the generator", () => {
    expect(usersOf("yaml").every((file) => file.startsWith("generator/syntax/"))).toBe(true);
    expect(usersOf("handlebars").every((file) => file.startsWith("generator/print/"))).toBe(true);
  });
});

function usersOf(library: string): readonly string[] {
  const importing = new RegExp(`from "${library}"|import\\("${library}"\\)`);
  return files.filter((file) => file.startsWith("generator/") && importing.test(textOf(file)));
}

function isAllowed(file: string, imported: string): boolean {
  const [house = "", room = ""] = file.split("/");
  const [otherHouse = "", otherRoom = ""] = imported.split("/");
  if (imported === "generated/ledger/client/index.ts") return file.startsWith("web/try/");
  // The page speaks to every standard interface by way of the client that all of them have.
  if (house === "web" && imported.startsWith("templates/client/json-rpc/"))
    return file === "web/try/standard.ts";
  if (imported === "generated/partner/client/index.ts") return file.startsWith("web/partner/");
  if (imported === "generated/operator/client/index.ts")
    return file.startsWith("runtime/cli/operate/") || file.startsWith("web/console/");
  // An operator's command says what its request lacks before it connects.
  if (imported === "generated/operator/methods.ts" && file.startsWith("runtime/cli/operate/")) return true;
  if (house === "runtime" && otherHouse === "generated") return ["handlers", "seed", "server"].includes(room);
  if (house === "generator" && room === "spec" && imported.startsWith("spec/schema/")) return true;
  if (house === "generator" && otherHouse === "conformance") return true;
  // A mock serves as the runtime of standard interfaces does.
  if (house === "generator" && room === "mock") {
    if (
      /^(?:rpc\/(?:index|(?:stdio|websocket|auth\/[^/]+)\/index)|runtime\/contract\/index)\.ts$/.test(
        imported,
      )
    )
      return true;
  }
  if (house === "rpc" && otherHouse === "runtime")
    return ["connections", "contract", "json"].includes(otherRoom);
  if (house !== otherHouse) return false;
  if (room === otherRoom) return true;
  const floors = floorsOf[house] ?? [];
  const floor = floors.findIndex((rooms) => rooms.includes(room));
  const otherFloor = floors.findIndex((rooms) => rooms.includes(otherRoom));
  if (floor === 0 && room === "contract") return false;
  return floor >= 0 && otherFloor >= 0 && otherFloor < floor;
}
