import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { randomFrom } from "../../conformance/session/order.ts";
import { drawn } from "../../tools/mock/answers.ts";
import { injectedFaultOf, latencyMsMax } from "../../tools/mock/faults.ts";
import { createPageHandler } from "../../tools/mock/index.ts";

function requestWith(headers: Readonly<Record<string, string>>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

/** The answer to a request for a page; undefined if it is left to others. */
function pageAt(url: string, method = "GET") {
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
  const response = new ServerResponse(request);
  const head = vi.spyOn(response, "writeHead");
  const pages = new Map([
    ["index.html", "start"],
    ["types/index.html", "types"],
    ["style.css", "css"],
  ]);
  if (!createPageHandler(() => pages)(request, response)) return undefined;
  const [status, headers] = head.mock.calls[0] ?? [];
  return [status, headers];
}

describe("the pages of a mock", () => {
  test.each(["/docs", "/docs?query=1"])("%s moves for good to /docs/", (url) => {
    expect(pageAt(url)).toEqual([301, { Location: "/docs/" }]);
  });

  test("the root leads to them", () => {
    expect(pageAt("/")).toEqual([302, { Location: "docs/" }]);
    expect(pageAt("/?query=1")).toEqual([302, { Location: "docs/" }]);
  });

  test.each([
    ["/docs/", 200, "text/html"],
    ["/docs/?query=1", 200, "text/html"],
    ["/docs/types/", 200, "text/html"],
    ["/docs/style.css", 200, "text/css"],
    ["/docs/types", 404, "text/plain"],
    ["/docs/../style.css", 404, "text/plain"],
  ])("%s is answered with %d, as %s", (url, status, type) => {
    const headers = { "Content-Type": `${type}; charset=utf-8` };
    expect(pageAt(url)).toEqual([status, expect.objectContaining(headers)]);
  });

  test("a page may load nothing from elsewhere, and stand in frames of its own origin only", () => {
    expect(pageAt("/docs/")).toEqual([
      200,
      expect.objectContaining({
        "Content-Security-Policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'self'$/),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
      }),
    ]);
  });

  test.each([
    ["/docsearch", "GET"],
    ["/", "POST"],
    ["/docs/", "POST"],
  ])("%s by %s is left to others", (url, method) => {
    expect(pageAt(url, method)).toBeUndefined();
  });
});

describe("what befalls a request", () => {
  const shares = new Map([
    ["drop", 0.25],
    ["cut", 0.25],
  ] as const);
  const options = { faults: shares, latencyMs: { least: 100, most: 300 } };

  test.each([
    [0, "drop"],
    [0.2499, "drop"],
    [0.25, "cut"],
    [0.4999, "cut"],
    [0.5, undefined],
  ])("the share %d draws %s", (share, fault) => {
    expect(Object(injectedFaultOf(requestWith({}), options, () => share)).fault).toBe(fault);
  });

  test.each([
    [0, 100],
    [0.5, 200],
    [0.999, 300],
  ])("the number %d waits %d ms", (number, waitMs) => {
    expect(injectedFaultOf(requestWith({}), { ...options, faults: new Map() }, () => number)).toEqual({
      waitMs,
    });
  });

  test.each(["0", "1", String(latencyMsMax)])("a caller may ask for %s ms", (text) => {
    const met = injectedFaultOf(
      requestWith({ "mock-latency": text, "mock-fault": "none" }),
      options,
      () => 0,
    );
    expect(met).toEqual({ waitMs: Number(text) });
  });

  test.each(["-1", "1.5", "soon", String(latencyMsMax + 1)])("a caller may not ask for %s ms", (text) => {
    const met = injectedFaultOf(requestWith({ "mock-latency": text }), options, () => 0);
    expect(met).toBe(`Mock-Latency has to be milliseconds, from 0 to ${latencyMsMax}`);
  });

  test("a fault of no known name is refused", () => {
    expect(injectedFaultOf(requestWith({ "mock-fault": "fire" }), options, () => 0)).toContain("or none");
  });
});

test("a drawn UUID is of version 8 and of the RFC's variant, and a text alike keeps its form", () => {
  for (let seed = 0; seed < 20; seed++) {
    const { uuid, like, below } = drawn(seed, "a");
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(like("AB-12_cd")).toMatch(/^[A-Z]{2}-[0-9]{2}_[a-z]{2}$/);
    expect([0, 1, 2]).toContain(below(3));
    expect(randomFrom(seed)()).toBe(randomFrom(seed)());
  }
  expect(drawn(1, "a").uuid).not.toBe(drawn(1, "b").uuid);
  expect(drawn(1, "a").uuid).not.toBe(drawn(2, "a").uuid);
});
