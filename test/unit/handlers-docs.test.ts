import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseFilter } from "../../ledger/domain/filter/index.ts";

const root = join(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The fenced blocks of a page, in order. */
function blocks(page: string): readonly string[] {
  return [...read(page).matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
}

it("the body that the page shows is the one that runs", () => {
  const body = read("ledger/handlers/ledger/customer-service/update-legal-rep-status.ts");
  expect(blocks("docs/handlers.md")).toContain(body.replace(/\/\*\*[\s\S]*?\*\/\n/, ""));
});

it("every filter that the page shows is one", () => {
  const filters = blocks("docs/filter.md").flatMap((text) => text.trim().split("\n"));
  expect(filters.length).toBeGreaterThan(3);
  for (const filter of filters) expect(parseFilter(filter), filter).toMatchObject({ ok: true });
});
