import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { emitterNames } from "../../generator/targets/index.ts";
import manifest from "../../package.json" with { type: "json" };
import { createProject, repository, type Project } from "./project.ts";

/** An OpenRPC document with one method. */
const pings = JSON.stringify({
  openrpc: "1.3.2",
  info: { title: "Pings", version: "1.0.0" },
  methods: [{ name: "ping", params: [], result: { name: "pong", schema: { type: "null" } } }],
});

let folder: Project;
beforeEach(() => (folder = createProject()));
afterEach(() => folder.dispose());

describe("ledger-rpc init", () => {
  test("makes a project of the documented tree that is up to date, and says what to do next", async () => {
    const { exitCode, stdout, stderr } = await folder.run(["init", "my-tasks"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("cd my-tasks\n  npm install\n  npm test\n  npm start &");
    expect(readdirSync(join(folder.root, "my-tasks")).filter((name) => name !== ".cache")).toEqual([
      ".gitattributes",
      ".gitignore",
      "README.md",
      "check-node.mjs",
      "generated",
      "ledger-rpc.yaml",
      "package.json",
      "spec",
      "src",
      "test",
      "tsconfig.json",
    ]);
    expect(folder.read("my-tasks/spec/interface.yaml")).toContain("name: my-tasks\n  title: My tasks\n");
    expect((await folder.run(["check"], undefined, "my-tasks")).stdout).toMatch(
      /^spec: \d+ files up to date\n$/,
    );
  });

  test("says in the project's README, too, how its service is tried", async () => {
    const { stdout } = await folder.run(["init", "tasks", "--template", "bearer"]);
    const lines = stdout.split("\n").filter((line) => line.includes("--access access.json"));
    expect(lines).toHaveLength(3);
    const readme = folder.read("tasks/README.md");
    expect(readme).toContain(`\`\`\`sh\n${lines.map((line) => line.trimStart()).join("\n")}\n\`\`\``);
    expect(readme).not.toContain("PROJECT_");
  });

  test("makes an empty project, which takes a first method", async () => {
    const made = await folder.run(["init", "shop", "--template", "empty"]);
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    expect(made.stdout).not.toMatch(/npm (?:test|start)/);
    const scripts = Object.keys(JSON.parse(folder.read("shop/package.json")).scripts);
    expect(scripts).toEqual(["generate", "check"]);
    expect(folder.read("shop/README.md")).not.toContain("PROJECT_");
    expect(readdirSync(join(folder.root, "shop"))).not.toContain("check-node.mjs");
    expect((await folder.run(["check"], undefined, "shop")).exitCode).toBe(0);
    const spec = folder.read("shop/spec/interface.yaml");
    const [before = "", method = ""] = spec.split("# methods:");
    folder.write("shop/spec/interface.yaml", `${before}methods:${method.replaceAll("\n#", "\n")}`);
    expect(await folder.run(["generate"], undefined, "shop")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(folder.read("shop/src/handlers/greet.ts")).toContain("GreetHandler");
  });

  test("takes an imported document in the place of an empty project's spec, while nobody has edited that", async () => {
    await folder.run(["init", "shop", "--template", "empty"]);
    folder.write("shop/openrpc.json", pings);
    const before = folder.read("shop/ledger-rpc.yaml");
    const first = await folder.run(["import", "openrpc.json"], undefined, "shop");
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(first.stdout).toContain("The spec is in spec, and in ledger-rpc.yaml");
    expect(folder.read("shop/ledger-rpc.yaml")).toBe(before);
    expect(folder.read("shop/spec/interface.yaml")).toContain("name: shop\n  title: Pings\n");
    expect(await folder.run(["generate"], undefined, "shop")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(folder.read("shop/generated/client/client.ts")).toContain("createShopClient");

    // Now there is something in the way: the next one is added beside it, and the rest of the config is left alone.
    await folder.run(["import", "openrpc.json", "--name", "pings"], undefined, "shop");
    expect(folder.read("shop/spec/interface.yaml")).toContain("name: shop\n");
    const entry =
      "  - spec: specs/pings\n    out: generated-pings\n    handlers: src/handlers-pings\n# Further targets";
    expect(folder.read("shop/ledger-rpc.yaml")).toBe(before.replace("# Further targets", entry));
  });

  test("takes an imported document where the spec that it names is not there", async () => {
    await folder.run(["init", "tasks"]);
    folder.remove("tasks/spec");
    folder.write("tasks/openrpc.json", pings);
    const { exitCode, stderr } = await folder.run(["import", "openrpc.json"], undefined, "tasks");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(readdirSync(join(folder.root, "tasks/spec"))).toContain("interface.yaml");
    expect(folder.read("tasks/ledger-rpc.yaml").match(/- spec:/g)).toHaveLength(1);
    expect((await folder.run(["generate"], undefined, "tasks")).exitCode).toBe(0);
  });

  test("outside a project, an import says what else `generate` needs", async () => {
    folder.write(
      "openrpc.json",
      '{"openrpc":"1.3.2","info":{"title":"T","version":"1"},"methods":[{"name":"ping","params":[],"result":{"name":"r","schema":{"type":"string"}}}]}',
    );
    const refused = await folder.run(["generate"]);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain("`ledger-rpc init <name>` makes a project");
    const { stdout, exitCode } = await folder.run(["import", "openrpc.json"]);
    expect(exitCode).toBe(0);
    const [, config = ""] = stdout.split("then run `ledger-rpc generate`:\n\n");
    folder.write("ledger-rpc.yaml", config);
    expect(await folder.run(["generate"])).toMatchObject({ exitCode: 0, stderr: "" });
    // What needs zod, which nobody has installed, does not compile.
    const made = readdirSync(join(folder.root, "generated"), { recursive: true, encoding: "utf8" });
    expect(made.filter((file) => /\b(?:methods|schemas)\.ts$/.test(file))).toEqual([
      expect.stringContaining("methods.ts"),
    ]);
  });

  test("hears of handlers whose method is gone", async () => {
    await folder.run(["init", "tasks"]);
    const spec = folder.read("tasks/spec/tasks.yaml");
    folder.write("tasks/spec/tasks.yaml", spec.replace(/ {2}finish:\n(?: {4}.*\n)+/, ""));
    const { stderr } = await folder.run(["generate"], undefined, "tasks");
    expect(stderr).toContain("src/handlers/finish.ts");
    expect(stderr).toContain("orphan-handler");
  });

  test("pins every version", async () => {
    await folder.run(["init", "tasks"]);
    const made = JSON.parse(folder.read("tasks/package.json"));
    expect(made.devDependencies).toMatchObject({ typescript: manifest.devDependencies.typescript });
    const versions: unknown[] = Object.values({ ...made.dependencies, ...made.devDependencies });
    for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(made.dependencies["ledger-rpc-runtime"]).toBe(manifest.version);
  });

  test("installs itself from a folder of tarballs", async () => {
    for (const name of ["ledger-rpc", "ledger-rpc-runtime"])
      folder.write(`dist/${name}-${manifest.version}.tgz`, "");
    expect((await folder.run(["init", "tasks", "--from", "dist"])).exitCode).toBe(0);
    const { dependencies, devDependencies } = JSON.parse(folder.read("tasks/package.json"));
    expect(dependencies["ledger-rpc-runtime"]).toBe(
      `file:../dist/ledger-rpc-runtime-${manifest.version}.tgz`,
    );
    expect(devDependencies["ledger-rpc"]).toBe(`file:../dist/ledger-rpc-${manifest.version}.tgz`);
  });

  test("writes over nothing", async () => {
    folder.write("tasks/tsconfig.json", "mine\n");
    folder.write("tasks/notes.txt", "mine\n");
    const before = folder.state();
    const { exitCode, stderr } = await folder.run(["init", "tasks"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        "error: tasks already has tsconfig.json: nothing was written. Choose another name or move them\n",
    });
    expect(folder.state()).toEqual(before);
  });

  test.for([
    [
      ["Tasks"],
      "Tasks is no name of a project: use lower-case letters, digits and hyphens, such as my-service",
    ],
    [["../tasks"], "../tasks is no name of a project: "],
    [["2do"], "2do is no name of a project: "],
    [["tasks", "--template", "base"], "there is no template base: there are "],
    [["tasks", "--template", "../../client"], "there is no template ../../client: there are "],
    [["tasks", "--template", "signed"], "there is no template signed any more: service has what it had"],
    [["tasks", "--template", "storage"], "there is no template storage any more: service has what it had"],
    [["tasks", "--from", "none"], "there is no folder none: --from names a folder with ledger-rpc-"],
    [
      ["tasks", "--from", "https://example.com/ledger-rpc-0.1.0.tgz"],
      "https://example.com/ledger-rpc-0.1.0.tgz is an address: --from names a folder with ledger-rpc-",
    ],
    [["tasks", "--from", process.execPath], `${process.execPath} is a file: --from names a folder with `],
    [["tasks", "--from", "."], ". has no ledger-rpc-"],
  ] as const)("refuses what makes no sense: %s", async ([args, message]) => {
    const { exitCode, stderr } = await folder.run(["init", ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: ${message}`);
    expect(folder.state().size).toBe(0);
  });
});

test("an editor completes every target there is", () => {
  const schema = JSON.parse(readFileSync(join(repository, "spec/schema/config.schema.json"), "utf8"));
  expect(schema.properties.targets.items.anyOf[0].enum).toEqual(emitterNames());
});
