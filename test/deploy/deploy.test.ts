import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { validate } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { settings } from "../../runtime/server/config.ts";
import { hasProgram } from "./has-program.ts";

const root = join(import.meta.dirname, "../..");
const files = globSync("deploy/**/*", { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const textOf = (path: string): string => readFileSync(path.startsWith("/") ? path : join(root, path), "utf8");

describe("deploy/", () => {
  test("holds YAML and JSON that can be read, each key once", () => {
    const yaml = files.filter((file) => file.endsWith(".yaml"));
    expect(yaml.length).toBeGreaterThan(5);
    for (const file of yaml)
      for (const document of parseAllDocuments(textOf(file), { merge: true }))
        expect([...document.errors, ...document.warnings], file).toEqual([]);
    expect(JSON.parse(textOf("deploy/monitoring/dashboard.json")).panels.length).toBeGreaterThan(9);
  });

  test("sets only settings that exist, and all that production needs", () => {
    const known = new Set(settings.map(({ env }) => env));
    // What compose.yaml hands to the proxy.
    for (const name of ["LEDGER_DOMAIN", "LEDGER_UPSTREAMS"]) known.add(name);
    for (const file of files) {
      const named = textOf(file).match(/\bLEDGER_[A-Z_]+\b/g) ?? [];
      expect(
        named.filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
    const needed = settings.filter((setting) => setting.needed).map(({ env }) => env);
    for (const place of ["docker/compose.yaml", "kubernetes/ledger.yaml"]) {
      const text = textOf(`deploy/${place}`) + textOf("deploy/docker/Dockerfile");
      expect(
        needed.filter((name) => !text.includes(name)),
        place,
      ).toEqual([]);
    }
    const unit = textOf("deploy/systemd/ledger-server.service");
    expect(needed.filter((name) => !unit.includes(name))).toEqual([]);
  });

  test("has no expression that Prometheus could not read", () => {
    const alerts = parseAllDocuments(textOf("deploy/monitoring/alerts.yaml"))[0]?.toJS();
    const rules: readonly { expr: string }[] = alerts.groups[0].rules;
    const { panels } = JSON.parse(textOf("deploy/monitoring/dashboard.json"));
    const targets: readonly { expr: string }[] = panels.flatMap((panel: { targets: [] }) => panel.targets);
    const expressions = [...rules, ...targets].map(({ expr }) => expr);
    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.filter((expression) => !isPromql(expression))).toEqual([]);
    expect(["rate(", "sum by (a (b)", "a{b=}", ""].filter(isPromql)).toEqual([]);
  });

  test("has a Dockerfile that a linter accepts, and none of what an image is better without", () => {
    const text = textOf("deploy/docker/Dockerfile");
    const problems = validate(text).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`);
    expect(problems).toEqual([]);
    expect(validate("FROM a AS b\nFRM c\n")).not.toEqual([]);
    const last = text.slice(text.lastIndexOf("\nFROM "));
    expect(last).toMatch(/^USER 10001:10001$/m);
    expect(last).not.toMatch(/npm (?:ci|install)|apt-get|ADD /);
  });

  test.runIf(hasProgram("promtool"))("has rules that fire where they should, by promtool", () => {
    for (const args of [
      ["check", "rules", join(root, "deploy/monitoring/alerts.yaml")],
      ["test", "rules", join(root, "test/deploy/alerts.test.yaml")],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    }
  });

  test("watches only metrics that the service has", () => {
    const sources = globSync("runtime/**/*.ts", { cwd: root }).map(textOf).join("\n");
    const watched = ["alerts.yaml", "dashboard.json"].flatMap(
      (file) => textOf(`deploy/monitoring/${file}`).match(/\bledger_rpc_\w+/g) ?? [],
    );
    const names = new Set(watched.map((name) => name.replace(/_bucket$/, "")));
    expect(names.size).toBeGreaterThan(8);
    expect([...names].filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
  });

  test("names for each alert the section that says what to do", () => {
    const [document] = parseAllDocuments(textOf("deploy/monitoring/alerts.yaml"));
    const { groups } = document?.toJS() ?? {};
    const rules: { alert: string; annotations: { runbook: string } }[] = groups[0].rules;
    const sections = [...textOf("docs/alerts.md").matchAll(/^## (\w+)$/gm)].map(([, name = ""]) => name);
    expect(rules.map(({ alert }) => alert)).toEqual(sections);
    expect(rules.map(({ annotations }) => annotations.runbook)).toEqual(
      sections.map((name) => `docs/alerts.md#${name.toLowerCase()}`),
    );
  });

  test("copies into the image what the repository has, and mounts what is there", () => {
    for (const [, path = ""] of textOf("deploy/docker/Dockerfile").matchAll(
      /^COPY ([\w.-]+) ([\w.-]+ )?\.\/$/gm,
    ))
      expect(existsSync(join(root, path)), path).toBe(true);
    const mounted = textOf("deploy/docker/compose.yaml").matchAll(/ (\.\.\/[\w./-]+):/g);
    const paths = [...mounted].map(([, path = ""]) => join(root, "deploy/docker", path));
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test.runIf(existsSync("/usr/bin/systemd-analyze"))("has a unit that systemd understands", () => {
    const folder = mkdtempSync(join(tmpdir(), "ledger-unit-"));
    try {
      const unit = join(folder, "ledger-server.service");
      // The commands are where the unit is installed, not here.
      const text = textOf("deploy/systemd/ledger-server.service");
      writeFileSync(unit, text.replaceAll("/opt/ledger/bin/ledger-server.mjs", "/bin/true"));
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], {
        encoding: "utf8",
      });
      const complaints = stderr.split("\n").filter((line) => line.includes("ledger-server.service"));
      expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Whether the grammar of Prometheus reads all of it. Grafana's own variable stands for a duration. */
function isPromql(expression: string): boolean {
  const text = expression.replaceAll("$__rate_interval", "5m");
  let isRead = text !== "";
  parser.parse(text).iterate({
    enter: ({ type }) => {
      if (type.isError) isRead = false;
    },
  });
  return isRead;
}
