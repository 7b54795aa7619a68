import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addWebPages } from "../../runtime/operations/http/index.ts";
import { linkedScript } from "../../runtime/operations/http/linked-script.ts";

const root = join(import.meta.dirname, "../..");

describe("modules linked into one", () => {
  const link = (files: Readonly<Record<string, string>>) =>
    linkedScript("web/a/begin.ts", (file) => Promise.resolve(files[file]));
  const run = async (files: Readonly<Record<string, string>>): Promise<unknown> =>
    await import(`data:text/javascript,${encodeURIComponent((await link(files)) ?? "")}`);

  test("do what they do apart, each once", async () => {
    const module = await run({
      "web/a/begin.ts": `import { one as first, add } from "./numbers.ts";\nimport * as all from "../b/all.ts";\nimport {} from "./counted.ts";\nexport const sum = add(first, all.two);\nexport { first as begin };\nexport * from "./counted.ts";\n`,
      "web/a/numbers.ts": `import "./counted.ts";\nexport const one = 1;\nexport function add(a, b) {\n  return a + b;\n}\n`,
      "web/b/all.ts": `export { one as two } from "../a/numbers.ts";\nexport class Thing {}\n`,
      "web/a/counted.ts": `globalThis.counted = (globalThis.counted ?? 0) + 1;\nexport const count = () => globalThis.counted;\n`,
    });
    expect(module).toMatchObject({ sum: 2, begin: 1 });
    expect(Reflect.get(globalThis, "counted")).toBe(1);
  });

  test("know where each of them lies", async () => {
    const script = await link({
      "web/a/begin.ts": `import { place } from "../b/place.ts";\nexport const found = place;\n`,
      "web/b/place.ts": `export const place = import.meta.url;\n`,
    });
    expect(script).toContain('new URL("../b/place.ts", import.meta.url).href');
  });

  test("keep the text of a program as it is", async () => {
    const program = 'const text = `\nimport { a } from "${name}-client";\n`;\n';
    expect(await link({ "web/a/begin.ts": program })).toContain(program);
  });

  test.each([
    [
      "a cycle",
      { "web/a/begin.ts": 'import { b } from "./b.ts";', "web/a/b.ts": 'import { a } from "./begin.ts";' },
    ],
    ["what is not there", { "web/a/begin.ts": 'import { b } from "./b.ts";' }],
    ["a default", { "web/a/begin.ts": "export default 1;" }],
    ["a variable", { "web/a/begin.ts": "export let a = 1;" }],
  ])("refuse %s", async (_, files) => {
    await expect(link(files)).rejects.toThrow(/web|begin/);
  });
});

describe("the pages of a port", () => {
  let server: Server;
  let base: string;

  beforeAll(async () => {
    const app = express();
    addWebPages(app, {
      path: "/console",
      root,
      index: "web/console/index.html",
      files: ["web/console/", "web/shared/", "generated/admin/"],
    });
    server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/console`;
  });
  afterAll(() => server.close());

  test("load all their style with one request", async () => {
    const style = await (await fetch(`${base}/web/shared/style.css`)).text();
    const [tokens, look] = ["tokens", "look"].map((name) =>
      readFileSync(join(root, `web/shared/${name}.css`), "utf8"),
    );
    expect(style.startsWith(`${tokens}${look}`)).toBe(true);
    expect(style).not.toContain("@import");
  });

  test("load all their modules with one request", async () => {
    for (const file of ["web/console/console.ts", "generated/admin/validators/payloads.js"]) {
      const script = await (await fetch(`${base}/${file}`)).text();
      expect(script, file).not.toMatch(/^(?:import|export)\b[^;]*"\.{1,2}\//m);
    }
  });

  test.each([
    "web/console/index.html",
    "web/console/console.ts",
    "web/shared/style.css",
    "generated/admin/json-schema.json",
  ])("send %j compressed to whoever takes it so", async (file) => {
    const url = `${base}/${file}`;
    const [plain, small] = await Promise.all(
      ["identity", "gzip"].map((encoding) => fetch(url, { headers: { "Accept-Encoding": encoding } })),
    );
    expect(plain?.headers.get("content-encoding")).toBeNull();
    expect(small?.headers.get("content-encoding")).toBe("gzip");
    expect(await small?.text()).toBe(await plain?.text());
  });
});
