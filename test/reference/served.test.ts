import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addFilePage, addReferencePages, addWebPages } from "../../runtime/operations/http/index.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "generated/ledger/reference");
let server: Server;
let base: string;

beforeAll(async () => {
  const app = express().enable("strict routing");
  addReferencePages(app, folder);
  addReferencePages(app, join(folder, "nowhere"));
  const page = { root, index: "web/console/index.html", files: [] };
  addWebPages(app, { ...page, path: "/console" });
  addWebPages(app, { ...page, path: "/try", isFramed: true });
  addFilePage(app, { path: "/report", file: undefined });
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => server.close());

test.each([
  ["/docs/", "'none'"],
  ["/console/", "'none'"],
  ["/try/", "'self'"],
  ["/report", "'none'"],
])("%s loads nothing from elsewhere, sends no form, and stands in frames of %s", async (path, ancestors) => {
  const { headers } = await fetch(`${base}${path}`);
  const policy = (headers.get("content-security-policy") ?? "").split("; ");
  for (const directive of ["default-src 'none'", "base-uri 'none'", "form-action 'none'"])
    expect(policy).toContain(directive);
  expect(policy).toContain(`frame-ancestors ${ancestors}`);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

describe("the reference pages on a port", () => {
  test("are served under /docs with their policy as a header", async () => {
    const front = await fetch(`${base}/docs`);
    expect(front.url).toBe(`${base}/docs/`);
    expect(await front.text()).toContain("<title>Overview");
    const page = await fetch(`${base}/docs/operations/get-account.html`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await fetch(`${base}/docs/assets/style.css`)).headers.get("content-type")).toContain("text/css");
  });

  test("are compressed to whoever takes it so, and sent once for each version", async () => {
    for (const path of ["/docs/", "/docs/types.html", "/docs/assets/style.css", "/docs/assets/icon.svg"]) {
      const [plain, small] = await Promise.all(
        ["identity", "gzip"].map((encoding) =>
          fetch(`${base}${path}`, { headers: { "Accept-Encoding": encoding } }),
        ),
      );
      if (plain === undefined || small === undefined) expect.fail(path);
      expect(plain.headers.get("content-encoding"), path).toBeNull();
      expect(small.headers.get("content-encoding"), path).toBe("gzip");
      for (const name of ["content-type", "vary", "content-security-policy", "cache-control"])
        expect(small.headers.get(name), `${path} ${name}`).toBe(plain.headers.get(name));
      expect(small.headers.get("vary")).toBe("Accept-Encoding");
      expect(await small.text()).toBe(await plain.text());
      const tag = small.headers.get("etag") ?? "";
      expect(tag).not.toBe(plain.headers.get("etag"));
      const again = await fetch(`${base}${path}`, {
        headers: { "Accept-Encoding": "gzip", "If-None-Match": tag, "Cache-Control": "max-age=0" },
      });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
  });

  test.each([
    "/docs/../methods.ts",
    "/docs/%2e%2e/methods.ts",
    "/docs/..%2fmethods.ts",
    "/docs/nothing.html",
  ])("serve nothing outside their folder: %s", async (path) => {
    expect((await fetch(`${base}${path}`)).status).toBeGreaterThanOrEqual(400);
  });
});
