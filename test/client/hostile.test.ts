import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type AttemptEnd,
  CallError,
  type ClientOptions,
  LedgerClient,
  NetworkError,
  TimeoutError,
  UnreadableResponseError,
} from "../../generated/ledger/client/index.ts";
import { examples } from "../../generated/ledger/client/examples.ts";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { until } from "../until.ts";
import {
  type Answer,
  hangUp,
  page,
  result,
  type ScriptedService,
  silence,
  startScriptedService,
} from "./scripted-service.ts";

let service: ScriptedService;
let options: ClientOptions;
beforeAll(async () => {
  service = await startScriptedService();
  options = {
    baseUrl: service.baseUrl,
    credential: { userName: "u", apiKey: "k" },
    signer: { keyId: "key", sign: async () => new Uint8Array(64) },
    backoffMs: 1,
  };
});
afterAll(() => service.stop());
afterEach(() => void vi.restoreAllMocks());

const client = (more: Partial<ClientOptions> = {}) => new LedgerClient({ ...options, ...more });
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const get = (more: Partial<ClientOptions> = {}) => client(more).account.get({ ID: "1" }, { id: "mine" });

describe("an answer", () => {
  test("with another request's id is not believed, neither its result nor its error", async () => {
    const error = '"error":{"code":"NOT_FOUND_ACCOUNT","message":"gone"}';
    for (const body of [
      `{"id":"other",${error}}`,
      `{"id":7,${error}}`,
      '{"id":"other","result":{}}',
      '{"result":{}}',
    ]) {
      service.will(page(200, body));
      expect((await thrownBy(get())) instanceof UnreadableResponseError, body).toBe(true);
      const answer = await client().raw("AccountService.GetAccount", { ID: "1" }, { id: "mine" });
      expect(answer).toMatchObject({ body, envelope: undefined });
    }
    service.will(page(200, `{"id":"other","error":{"code":"UNAVAILABLE","message":""}}`));
    await thrownBy(get());
    expect(service.received, "nor is it a reason to ask again").toHaveLength(1);
    for (const body of [`{"id":"mine",${error}}`, `{"id":null,${error}}`]) {
      service.will(page(400, body));
      expect(await thrownBy(get())).toMatchObject({ code: "NOT_FOUND_ACCOUNT", message: "gone" });
    }
  });

  test("with both a result and an error is none (JSON-RPC 2.0, section 5)", async () => {
    for (const code of ["NOT_FOUND_ACCOUNT", "UNAVAILABLE"]) {
      service.will(page(200, `{"id":"mine","result":{},"error":{"code":"${code}","message":""}}`));
      expect((await thrownBy(get())) instanceof UnreadableResponseError, code).toBe(true);
      expect(service.received, "nor is it a reason to ask again").toHaveLength(1);
    }
    const error = '"error":{"code":"NOT_FOUND_ACCOUNT","message":"gone"}';
    service.will(page(200, `{"id":"mine","result":null,${error}}`));
    expect(await thrownBy(get()), "null is no result").toMatchObject({ code: "NOT_FOUND_ACCOUNT" });
  });

  test("whose code is no text is none", async () => {
    // A revision with numbers for codes reads them all, as text.
    const numbers = Object.values(examples.errors).some((error) => "wireCode" in error) ? [] : ["502"];
    for (const code of [...numbers, "{}", "null", "true", "[]"]) {
      service.will(page(200, `{"id":"mine","error":{"code":${code},"message":"x"}}`));
      expect((await thrownBy(get())) instanceof UnreadableResponseError, code).toBe(true);
    }
  });

  test("without an end, or that unpacks to one, is read no further than it may be", async () => {
    const answerBytesMax = 1_000_000;
    let sent = 0;
    service.will((response) => {
      const piece = Buffer.alloc(100_000, " ");
      const more = () => {
        sent += piece.length;
        if (!response.destroyed && sent < 1e9) response.write(piece, more);
      };
      more();
    });
    expect(await thrownBy(get({ answerBytesMax }))).toMatchObject({ name: "UnreadableResponseError" });
    expect(sent).toBeLessThan(1e9);
    const bomb = gzipSync(Buffer.alloc(50_000_000, " "), { level: 1 });
    service.will((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    let unpacked = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        unpacked += chunk.length;
        controller.enqueue(chunk);
      },
    });
    const thrown = await thrownBy(
      get({
        answerBytesMax,
        fetch: async (url, init) =>
          new Response((await fetch(url, init)).body?.pipeThrough(counting) ?? null),
      }),
    );
    if (!(thrown instanceof UnreadableResponseError)) throw thrown;
    expect(thrown.body.length).toBeLessThan(2_000_000);
    expect(unpacked).toBeGreaterThan(answerBytesMax);
    expect(unpacked).toBeLessThan(2_000_000);
    service.will(result(`{"account":{"id":"${"x".repeat(900_000)}"}}`));
    expect((await get({ answerBytesMax })).account.id).toHaveLength(900_000);
  });

  test("that drips is waited for no longer than an attempt may take", async () => {
    const { pass } = timersByHand({ performance: true });
    const answering = Promise.withResolvers<ServerResponse>();
    service.will((response) => answering.resolve(response));
    const thrown = thrownBy(get({ attemptTimeoutMs: 1000, attemptsMax: 1 }));
    const response = await answering.promise;
    for (let drop = 0; drop < 5; drop += 1) {
      await new Promise((resolve) => response.write(" ", resolve));
      pass(200);
    }
    expect(await thrown).toMatchObject({ name: "TimeoutError" });
  });

  test("of a wrong kind or from elsewhere is none", async () => {
    const pages: readonly Answer[] = [
      page(200, "<html>", { "content-type": "text/html" }),
      page(302, "", { location: `${service.baseUrl}/elsewhere` }),
      page(307, "", { location: `${service.baseUrl}/elsewhere` }),
      page(200, "[".repeat(200_000)),
      page(200, `{"id":"mine","result":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
    ];
    for (const one of pages) {
      service.will(one);
      expect((await thrownBy(get())) instanceof UnreadableResponseError).toBe(true);
      expect(service.received).toHaveLength(1);
    }
  });

  test("changes no prototype", async () => {
    service.will(result('{"account":{"id":"1","__proto__":{"polluted":1}},"__proto__":{"polluted":1}}'));
    await get();
    service.will(
      page(200, '{"id":"mine","error":{"code":"CONFLICT","message":"","data":{"__proto__":{"polluted":1}}}}'),
    );
    const thrown = await thrownBy(get());
    expect(thrown).toMatchObject({ code: "CONFLICT" });
    expect(Object("").polluted).toBeUndefined();
    expect(Object(thrown).data.polluted).toBeUndefined();
  });
});

describe("a class of errors", () => {
  test("holds only what a client threw", async () => {
    const timeout = await thrownBy(
      AbortSignal.timeout(1).aborted ? get() : rejectedBy(AbortSignal.timeout(1)),
    );
    expect(Object(timeout).name).toBe("TimeoutError");
    expect(timeout instanceof TimeoutError).toBe(false);
    expect(Object.assign(new Error("x"), { name: "NetworkError", attempts: 1 }) instanceof NetworkError).toBe(
      false,
    );
    const { pass } = timersByHand({ performance: true });
    service.will(silence);
    const thrown = thrownBy(get({ attemptTimeoutMs: 1000, attemptsMax: 1 }));
    await until(() => service.received.length === 1);
    pass(1000);
    expect((await thrown) instanceof TimeoutError).toBe(true);
  });
});

/** Rejects with a signal's reason. */
async function rejectedBy(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw signal.reason;
}

describe("time", () => {
  test("is the monotonic clock's: a wall clock that jumps ends no call and prolongs none", async () => {
    const real = Date.now();
    let jumped = 0;
    vi.spyOn(Date, "now").mockImplementation(() => real + (jumped++ % 2 === 0 ? -86_400_000 : 86_400_000));
    service.will(page(503, ""), page(503, ""), result({ account: {} }));
    await get();
    expect(service.received).toHaveLength(3);
    const { pass } = timersByHand({ performance: true });
    service.will(silence);
    // Without an end by the monotonic clock the test would not end.
    const thrown = thrownBy(get({ attemptTimeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: 1000 }));
    await until(() => service.received.length === 1);
    pass(1000);
    expect(await thrown).toMatchObject({ name: "TimeoutError", attempts: 1 });
  });

  test("without a limit is none at all", async () => {
    const { pass } = timersByHand({ performance: true });
    let attempts = 0;
    const hooks = { before: () => void (attempts += 1) };
    const totalTimeoutMs = Number.POSITIVE_INFINITY;
    for (const attemptTimeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31 - 1]) {
      const answer = Promise.withResolvers<() => void>();
      service.will((response, request) =>
        answer.resolve(() => void result({ account: {} })(response, request)),
      );
      const call = get({ attemptTimeoutMs, totalTimeoutMs, hooks });
      const give = await answer.promise;
      pass(20 * 86_400_000);
      give();
      await call;
    }
    expect(attempts).toBe(2);
  });
});

describe("a list", () => {
  /** A service whose list is read while it changes. */
  function listed(ids: string[]) {
    service.will((response, request) => {
      const { PageNumber = 1, PageSize = 15 } = JSON.parse(request.payload);
      const from = (PageNumber - 1) * PageSize;
      result({ accounts: ids.slice(from, from + PageSize).map((id) => ({ id })), riskScore: 0 })(
        response,
        request,
      );
    });
  }
  const names = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`);

  test.each([1, 2, 3, 7, 10, 100])(
    "that shrinks while it is read skips nothing, %i at a time",
    async (pageSize) => {
      for (const drops of [(at: number) => at % 2 === 0, () => true, (at: number) => at % 7 === 0]) {
        const ids = names(25);
        listed(ids);
        const seen: string[] = [];
        for await (const { id } of client().accounts.all({ pageSize })) {
          seen.push(id);
          // What is done with an item takes it out of the list.
          if (drops(seen.length)) ids.splice(ids.indexOf(id), 1);
        }
        expect(seen).toEqual(names(25));
      }
    },
  );

  test("that grows before and behind where it is read gives each item once", async () => {
    const ids = names(250);
    listed(ids);
    const seen: string[] = [];
    for await (const { id } of client().accounts.all()) {
      seen.push(id);
      if (seen.length === 50) ids.splice(10, 0, ...names(130).map((name) => `before ${name}`));
      if (seen.length === 150) ids.push("behind");
    }
    expect(seen.filter((id) => id.startsWith("a"))).toEqual(names(250));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain("behind");
  });

  test("that stays as it is costs hardly more requests than it has pages", async () => {
    listed(names(1000));
    let count = 0;
    for await (const _ of client().accounts.all()) count += 1;
    expect(count).toBe(1000);
    expect(service.received.length).toBeLessThanOrEqual(13);
  });
});

describe("a month of traffic", () => {
  test("leaves no listener on a signal that lives as long", async () => {
    service.will(result({ account: {} }));
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const any = vi.spyOn(AbortSignal, "any");
    const one = client();
    for (let call = 0; call < 20; call += 1) await one.account.get({ ID: "1" }, { signal });
    service.will(page(503, ""), hangUp, result({ account: {} }));
    await one.account.get({ ID: "1" }, { signal });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    expect(any).not.toHaveBeenCalled();
  });

  test("does not ask a service that is down four times as often, and recovers with it", async () => {
    const one = client({ backoffMs: 0 });
    service.will(page(503, ""));
    for (let call = 0; call < 100; call += 1) await thrownBy(one.account.get({ ID: "1" }));
    expect(service.received).toHaveLength(200);
    service.will(result({ account: {} }));
    for (let call = 0; call < 5; call += 1) await one.account.get({ ID: "1" });
    service.will(page(503, ""), result({ account: {} }));
    await one.account.get({ ID: "1" });
  });

  test("goes on over connections that the service closes", async () => {
    const server: Server = createServer({ keepAliveTimeout: 1 }, async (request, response) => {
      const { id } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      response.end(JSON.stringify({ id, result: { account: {} } }), () => request.socket.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const one = client({ baseUrl: `http://127.0.0.1:${port}` });
    for (let call = 0; call < 30; call += 1) await one.account.get({ ID: "1" });
    server.close();
  });
});

describe("hooks", () => {
  test("come in pairs, however an attempt ends", async () => {
    const seen: string[] = [];
    const hooks: NonNullable<ClientOptions["hooks"]> = {
      before: ({ attempts }) => void seen.push(`before ${attempts}`),
      after: ({ attempts, error, status }: AttemptEnd) =>
        void seen.push(`after ${attempts} ${Object(error).message ?? error ?? status}`),
    };
    const locked = async () => {
      throw new Error("locked");
    };
    await thrownBy(get({ hooks, signer: { keyId: "k", sign: locked } }));
    const odd: () => Promise<string> = () => Promise.reject("a word");
    await thrownBy(get({ hooks, signer: { keyId: "k", sign: odd } }));
    service.will(silence);
    const controller = new AbortController();
    const call = client({ hooks }).account.get({ ID: "1" }, { signal: controller.signal });
    await expect.poll(() => service.received).toHaveLength(1);
    controller.abort(new Error("enough"));
    await thrownBy(call);
    await thrownBy(client({ hooks }).account.get({ ID: "1" }, { signal: controller.signal }));
    service.will(page(503, ""), result({ account: {} }));
    await get({ hooks });
    expect(seen).toEqual([
      "before 1",
      "after 1 locked",
      "before 1",
      "after 1 a word",
      "before 1",
      "after 1 enough",
      "before 1",
      "after 1 enough",
      "before 1",
      "after 1 503",
      "before 2",
      "after 2 200",
    ]);
  });

  test("add headers, but none that the client itself sends, and none that cannot be sent", async () => {
    service.will(result({ account: {} }));
    const headers = { Traceparent: "00-4bf9", "Content-Type": "text/plain", "x-interface-revision": "9" };
    await get({ hooks: { before: () => headers }, headers: { "X-Own": "a", "CONTENT-type": "x" } });
    await get({ hooks: { before: () => ({ traceparent: "line\nbreak" }) } });
    const [first, second] = service.received;
    expect(first?.headers).toMatchObject({
      traceparent: "00-4bf9",
      "x-own": "a",
      "content-type": "application/json",
      "x-interface-revision": ledgerInterface.revision,
    });
    expect(second?.headers).not.toHaveProperty("traceparent");
  });
});

test("a failure of a call is of one class", async () => {
  service.will(hangUp);
  expect(await thrownBy(get({ attemptsMax: 1 }))).toBeInstanceOf(CallError);
});
