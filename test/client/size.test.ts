import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { afterAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "client-size-"));
afterAll(() => rmSync(folder, { recursive: true }));

const client = join(import.meta.dirname, "../../generated/ledger/client/index.ts");

/** A browser's bundle of these exports, minified. */
async function bundled(...names: readonly string[]): Promise<string> {
  const input = join(folder, "entry.ts");
  writeFileSync(input, `export { ${names.join(", ")} } from ${JSON.stringify(client)};`);
  const bundle = await rolldown({ input, platform: "browser" });
  // What a browser gets has no annotations for bundlers: Vite's production build leaves them out, too.
  const { output } = await bundle.generate({ format: "es", minify: true, comments: { annotation: false } });
  return output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}

const gzipped = (code: string): number => gzipSync(code, { level: 9 }).length;

describe("a bundle", () => {
  test("with the whole client is under 4.5 kB", async () => {
    expect(gzipped(await bundled("LedgerClient"))).toBeLessThan(4500);
  });

  test("with one operation is under 2.26 kB, and holds nothing of the others", async () => {
    const code = await bundled("connect", "getAccount");
    expect(gzipped(code)).toBeLessThan(2260);
    expect(code).toContain("AccountService.GetAccount");
    expect(code).not.toMatch(/ListAccounts|Authorization|NOT_FOUND_ACCOUNT|getBuiltinModule/);
  });

  test("with one class of errors holds no other", async () => {
    const code = await bundled("NotFoundAccountError");
    expect(code).toContain("NOT_FOUND_ACCOUNT");
    expect(code).not.toMatch(/NOT_FOUND_CUSTOMER|GetAccount/);
  });
});
