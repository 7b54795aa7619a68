import { expect, test } from "vitest";
import { conform, loadSuite, tracer } from "../../conformance/index.ts";
import { startFaultyServer } from "../faults/faulty-server.ts";

const loaded = loadSuite("generated/ledger/conformance");

test("a trace shows the wire without credentials, whoever calls, and without what is sensitive", async () => {
  const server = await startFaultyServer(undefined);
  try {
    const { access, mailFolder } = server;
    const { baseUrl = "" } = access;
    const trace = tracer({ suite: loaded.suite, baseUrl, identity: access });
    const issued: string[] = [];
    const traced: string[] = [];
    const { outcomes } = await conform({
      ...loaded,
      access,
      baseUrl,
      mailFolder,
      eventTimeoutMs: 60_000,
      only: [
        "scenario/scopes",
        "KeyService.CompleteRegisterDevice/payload/minimal",
        "AccountService.GetAccount/payload/minimal",
      ],
      explore: { runs: 0 },
      onExchange: (request, answer) => {
        traced.push(trace(request, answer));
        const text = request.body.toString() + (request.headers["authorization"] ?? "");
        for (const [, basic = ""] of text.matchAll(/Basic ([A-Za-z0-9+/=]{8,})/g))
          issued.push(basic, ...apiKeyOf(basic));
        for (const [, otp = ""] of text.matchAll(/"Otp":"(\d{6})"/g)) issued.push(`"${otp}"`);
      },
    });
    expect(outcomes.filter(({ status }) => status !== "passed")).toEqual([]);
    const callers = new Set(issued);
    expect(callers.size).toBeGreaterThan(3);
    expect(issued).toContainEqual(expect.stringMatching(/^"\d{6}"$/));
    const text = traced.join("\n");
    for (const secret of [...callers, access.apiKey, access.operator?.apiKey ?? "none"]) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('"method":"AccountService.GetAccount"');
    expect(text).toContain("< HTTP 200");
  } finally {
    await server.stop();
  }
});

function apiKeyOf(basic: string): readonly string[] {
  const [, apiKey = ""] = /^[^:]*:(.{8,})$/.exec(Buffer.from(basic, "base64").toString()) ?? [];
  return apiKey === "" ? [] : [apiKey];
}
