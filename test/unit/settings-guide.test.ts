import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
import { type Setting, settingsOf } from "../../runtime/operations/config/index.ts";
import { application } from "../../ledger/application.ts";

const settings = settingsOf(application);

const guide = join(import.meta.dirname, "../../docs/operations.md");

test("the operations guide lists every setting as the service knows it", async () => {
  const text = readFileSync(guide, "utf8");
  const rows = settings.map(
    (setting) => `| \`${setting.path}\` | \`${setting.env}\` | ${defaultsOf(setting)} | ${setting.doc} |`,
  );
  const table = ["| setting | variable | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
  const written = text.replace(
    /<!-- settings -->[\s\S]*<!-- \/settings -->/,
    () => `<!-- settings -->\n\n${table}\n\n<!-- /settings -->`,
  );
  const expected = await format(written, { parser: "markdown", printWidth: 110 });
  if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(guide, expected);
  expect(readFileSync(guide, "utf8")).toBe(expected);
});

function defaultsOf({ sandbox, production, needed }: Setting): string {
  if (needed) return `sandbox: ${shown(sandbox)}; needed in production`;
  if (String(sandbox) === String(production)) return shown(sandbox);
  return `sandbox: ${shown(sandbox)}; production: ${shown(production)}`;
}

function shown(value: unknown): string {
  return value === undefined ? "none" : `\`${String(value)}\``;
}
