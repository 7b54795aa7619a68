import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");

test("no document has an install line for a name that is not ours, or names a registry", () => {
  const pages = [
    "*.md",
    "{bin/pack,templates/project}/**/*.{ts,json}",
    "{docs,examples,templates}/**/*.md",
    "generated/*/{client,conformance}/*.md",
    "templates/**/*.hbs",
  ];
  const files = globSync(pages, { cwd: repository });
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(join(repository, file), "utf8");
    expect(text, file).not.toMatch(/npmjs|registry\.npm|(?:yarn|pnpm|bun) add /);
    for (const [line, command = ""] of text.matchAll(/\b(?:npm (?:install|i|exec)|npx) ([^\n`]*)/g)) {
      const args = command.split(" ").filter((arg) => !/^--(?:yes|offline)$/.test(arg));
      const isFile = /^(?:--package )?\.\/\S+\.tgz\b/.test(args.join(" "));
      const isInstalled = /^(?:vitest|vite|tsc|oxlint|prettier)\b/.test(args[0] ?? "");
      // Ours have names that a stranger may take: npx is to run what the project has, and to fetch nothing.
      const isOurs = /^--no-install ledger-(?:rpc|server)\b/.test(args.join(" "));
      // The driver of PostgreSQL, which the package of the runtime names as its peer.
      const isDriver = /^pg\b/.test(args[0] ?? "");
      // The verifier of Standard Webhooks by the authors of that standard, with which the tutorial is tested.
      const isStandard = /^standardwebhooks\b/.test(args[0] ?? "");
      // Without a name, what the project's own lockfile says is installed.
      const isOwn = /^(?:&&|#|$)/.test(args[0] ?? "");
      expect(isFile || isInstalled || isOurs || isDriver || isStandard || isOwn, `${file}: ${line}`).toBe(
        true,
      );
    }
  }
});
