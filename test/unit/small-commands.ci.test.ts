import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const { version }: { version: string } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

/** What a command prints. Node counts the modules that it loads: a line of stderr each. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(process.execPath, args, {
    cwd: repository,
    env: { PATH: process.env["PATH"], ...env },
    encoding: "utf8",
  });
}

/** Prints each module of ours that a command loads. */
const probe = `import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) {
    if (url.startsWith("file:") && !url.includes("/bin/")) process.stdout.write(url + "\\n");
    return next(url, context);
  } });`;
const loading = ["--import", `data:text/javascript,${encodeURIComponent(probe)}`];

describe.each(["bin/ledger-server.mjs", "bin/ledger-rpc.mjs"])("%s", (command) => {
  test.each(["--version", "-V"])("%s prints the version and loads nothing of the command", (option) => {
    expect(run([...loading, command, option])).toBe(`${version}\n`);
  });
});

test("`ledger-rpc --help` loads no more than the declarations of its commands", () => {
  const modules = run([...loading, "generator/cli/main.ts", "--help"]).match(/^file:.*/gm) ?? [];
  const packages = modules.flatMap((url) => /\/node_modules\/([^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(packages)].toSorted()).toEqual(["commander", "picocolors"]);
  expect(modules.filter((url) => url.includes("/generator/language/"))).toHaveLength(1);
});

test("`settings --changed` prints what is set, and says where", () => {
  const settings = ["bin/ledger-server.mjs", "settings", "--changed"];
  const text = run(settings, { LEDGER_PARTNER_INTERFACE: "on" });
  expect(text).toMatch(/^partner\.interface {2}\(LEDGER_PARTNER_INTERFACE\)\n/);
  expect(text.match(/^\S/gm)).toHaveLength(1);
  expect(run(settings)).toBe("Every setting has its default.\n");
  expect(JSON.parse(run([...settings, "--json"], { PORT: "0" }))).toMatchObject([
    { variable: "PORT", value: 0 },
  ]);
});

test("`explain --filter` lists the codes whose name or rule has a text", () => {
  const all: readonly { code: string; rule: string }[] = JSON.parse(
    run(["bin/ledger-rpc.mjs", "explain", "--json"]),
  );
  const some: typeof all = JSON.parse(run(["bin/ledger-rpc.mjs", "explain", "--filter", "Paging", "--json"]));
  expect(some).toEqual(all.filter(({ code, rule }) => /paging/i.test(`${code} ${rule}`)));
  expect(some.length).toBeGreaterThan(0);
  expect(some.length).toBeLessThan(all.length / 2);
});
