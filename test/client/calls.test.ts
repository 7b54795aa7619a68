import { generateKeyPairSync, verify } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type Attempt,
  type AttemptEnd,
  CallError,
  type ClientOptions,
  connect,
  getAccount,
  isLedgerError,
  LedgerClient,
  LedgerError,
  money,
  NetworkError,
  NotFoundAccountError,
  TimeoutError,
  UnauthorizedError,
  UnreadableResponseError,
} from "../../generated/ledger/client/index.ts";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { retried } from "../../templates/client/retry.ts";
import { connect as plainConnect } from "../../templates/client/signed-envelope/connection.ts";
import { guarded } from "../../templates/client/signed-envelope/guard.ts";
import { messageSignatures } from "../../templates/client/signed-envelope/message-signatures.ts";
import { enveloped } from "../../templates/client/signed-envelope/method.ts";
import { noKey } from "../../templates/client/signed-envelope/no-key.ts";
import { operation } from "../../templates/client/signed-envelope/operation.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { until } from "../until.ts";
import {
  type Answer,
  hangUp,
  page,
  refusal,
  result,
  type ScriptedService,
  silence,
  startScriptedService,
} from "./scripted-service.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
let service: ScriptedService;
let options: ClientOptions;

beforeAll(async () => {
  service = await startScriptedService();
  options = {
    baseUrl: `${service.baseUrl}/`,
    credential: { userName: "zoë", apiKey: "k:1" },
    signer: { keyId: "key-1", privateKey: pem },
    backoffMs: 1,
  };
});
afterAll(() => service.stop());
beforeEach(() => service.will(result({ account: {} })));

const client = (more: Partial<ClientOptions> = {}) => new LedgerClient({ ...options, ...more });

/** As a service reads it (D-16): in DER, or in P1363 where it has 64 bytes. */
function isSigned(signed: string | undefined, signature: string | undefined): boolean {
  const bytes = Buffer.from(signature ?? "", "base64");
  const dsaEncoding = bytes.length === 64 ? "ieee-p1363" : "der";
  return verify("sha256", Buffer.from(signed ?? ""), { key: publicKey, dsaEncoding }, bytes);
}

describe("a call", () => {
  test("signs the very bytes of the payload that it sends", async () => {
    await client().account.get({ ID: "ü/\u2028" });
    const [request] = service.received;
    expect(request?.url).toBe("/jsonrpc");
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "x-interface-revision": ledgerInterface.revision,
    });
    expect(JSON.parse(request?.body ?? "")).toMatchObject({
      method: "AccountService.GetAccount",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      params: { payload: { ID: "ü/\u2028" } },
    });
    expect(isSigned(request?.payload, request?.api["signature"])).toBe(true);
    expect(isSigned(`${request?.payload} `, request?.api["signature"])).toBe(false);
    expect(Buffer.from(request?.api["credential"]?.slice(6) ?? "", "base64").toString()).toBe("zoë:k:1");
    expect(request?.api).toMatchObject({ keyId: "key-1" });
  });

  test("says the API key only where the interface lists it", async () => {
    await client().account.get({ ID: "1" });
    expect(Object.keys(service.received[0]?.api ?? {}).toSorted()).toEqual([
      "credential",
      "keyId",
      "signature",
    ]);
    await client().account.getBeneficiary({ ID: "1" });
    expect(service.received[1]?.api["apiKey"]).toBe("k:1");
  });

  test("signs a flat body by its headers", async () => {
    service.will(page(200, '{"id":"s","source":"core"}'));
    expect(await client().getSource({ source: "core" })).toEqual({ id: "s", source: "core" });
    const [request] = service.received;
    const claim = /^keyId=key-1,algorithm=ecdsa-sha256,signature=(.+)$/.exec(
      String(request?.headers["signature"]),
    );
    expect(request?.body).toBe('{"source":"core"}');
    expect(isSigned(request?.body, claim?.[1])).toBe(true);
    expect(request?.headers.authorization).toMatch(/^Basic /);
  });

  test("is made by its documented name too, with the envelope as it came", async () => {
    service.will(result({ account: { id: "1" } }));
    expect(await client().call("AccountService.GetAccount", { ID: "1" })).toEqual({ account: { id: "1" } });
    service.will(refusal("UNAUTHORIZED", "Access Denied", {}, { headers: { "x-request-id": "r-9" } }));
    const answer = await client().raw("AccountService.GetAccount", { ID: "1" }, { id: "mine" });
    expect(answer).toMatchObject({ status: 200, id: "mine", attempts: 1 });
    expect(answer.headers.get("x-request-id")).toBe("r-9");
    expect(answer.envelope?.error).toEqual({ code: "UNAUTHORIZED", message: "Access Denied", data: {} });
    // @ts-expect-error the interface has no such method
    await expect(client().call("AccountService.Nothing", {})).rejects.toThrow(TypeError);
  });

  test("of an operation for callers without a key proves none, and needs none", async () => {
    const { baseUrl, credential } = options;
    const keyless = plainConnect({ baseUrl, credential, signer: noKey });
    await operation("KeyService.Ask", enveloped("credential", "apiKey"))(keyless, { ID: "1" });
    const [request] = service.received;
    expect(Object.keys(request?.api ?? {}).toSorted()).toEqual(["apiKey", "credential"]);
    expect(request?.payload).toBe('{"ID":"1"}');
  });

  test("signs no message for a caller without a key", async () => {
    const { baseUrl, credential } = options;
    const sent: RequestInit[] = [];
    const fetchOnce = async (_url: string, init: RequestInit) => {
      sent.push(init);
      return new Response('{"id":"1","result":{},"jsonrpc":"2.0"}');
    };
    const keyless = plainConnect(
      guarded({ baseUrl, credential, signer: noKey, messageSignatures, fetch: fetchOnce }),
    );
    await operation("KeyService.Ask", enveloped("credential"))(keyless, { ID: "1" }, { id: "1" });
    const headers = new Headers(sent[0]?.headers);
    expect(["signature", "signature-input", "content-digest"].filter((name) => headers.has(name))).toEqual(
      [],
    );
  });

  test("leaves no timer behind", async () => {
    timersByHand();
    await client().account.get({ ID: "1" });
    // The connection that is kept open may have one.
    const before = vi.getTimerCount();
    for (let call = 0; call < 5; call += 1) await client().account.get({ ID: "1" });
    expect(vi.getTimerCount()).toBeLessThanOrEqual(before);
  });

  test("needs no client", async () => {
    service.will(result({ account: { id: "1" } }));
    expect(await getAccount(connect(options), { ID: "1" })).toEqual({ account: { id: "1" } });
  });

  test("refuses options that cannot work", () => {
    expect(() => client({ baseUrl: "" })).toThrow("baseUrl is missing");
    expect(() => client({ credential: { userName: "", apiKey: "k" } })).toThrow("userName is missing");
    expect(() => client({ signer: { keyId: "", privateKey: pem } })).toThrow("keyId is missing");
  });

  test("shows no secret when the client is printed", () => {
    const shown = inspect(client(), { depth: Number.POSITIVE_INFINITY, showHidden: true });
    expect(shown).not.toContain("k:1");
    expect(shown).not.toContain("Basic");
    expect(shown).not.toContain("PRIVATE KEY");
  });
});

describe("a signer", () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const importKey = async () => {
    const der = privateKey.export({ type: "pkcs8", format: "der" });
    return await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  };

  test("is a PEM, a key of WebCrypto, a JWK, or a function", async () => {
    const jwk = privateKey.export({ format: "jwk" });
    const webKey = await importKey();
    expect(webKey.extractable).toBe(false);
    const sign = async (bytes: Uint8Array) => {
      const p1363 = await crypto.subtle.sign({ ...algorithm, hash: "SHA-256" }, webKey, Buffer.from(bytes));
      return new Uint8Array(p1363);
    };
    const keyId = "key-1";
    const signers: readonly ClientOptions["signer"][] = [
      { keyId, privateKey: pem },
      { keyId, privateKey: `\r\n  ${pem.replaceAll("\n", "\r\n")}` },
      { keyId, privateKey: webKey },
      { keyId, privateKey: await crypto.subtle.importKey("jwk", jwk, algorithm, true, ["sign"]) },
      { keyId, privateKey: jwk },
      { keyId, privateKey: { ...jwk, ext: false } },
      { keyId, sign },
      { keyId, sign: async (bytes) => Buffer.from(await sign(bytes)).toString("base64") },
    ];
    for (const signer of signers) await client({ signer }).account.get({ ID: "1" });
    expect(service.received).toHaveLength(signers.length);
    for (const { payload, api } of service.received) expect(isSigned(payload, api["signature"])).toBe(true);
  });

  test("that is a text, or may be extracted, signs without WebCrypto; another one with it", async () => {
    const web = vi.spyOn(crypto.subtle, "sign");
    const jwk = privateKey.export({ format: "jwk" });
    const extractable = await crypto.subtle.importKey("jwk", jwk, algorithm, true, ["sign"]);
    for (const key of [pem, jwk, extractable, await importKey()]) {
      const own = client({ signer: { keyId: "key-1", privateKey: key } });
      await own.account.get({ ID: "1" });
      await own.account.get({ ID: "1" });
    }
    expect(web).toHaveBeenCalledTimes(2);
    web.mockRestore();
  });

  test("of another kind is refused before anything is sent", async () => {
    const sec1 = privateKey.export({ type: "sec1", format: "pem" }).toString();
    expect(() => client({ signer: { keyId: "k", privateKey: sec1 } })).toThrow("PKCS#8");
    const call = getAccount(connect({ ...options, signer: { keyId: "k", privateKey: sec1 } }), { ID: "1" });
    await expect(call).rejects.toThrow();
    expect(service.received).toEqual([]);
  });

  test("that fails is not asked again; its error comes through", async () => {
    let asked = 0;
    const broken = new Error("the module is locked");
    const sign = async () => {
      asked += 1;
      throw broken;
    };
    await expect(client({ signer: { keyId: "k", sign } }).account.get({ ID: "1" })).rejects.toBe(broken);
    expect([asked, service.received.length]).toEqual([1, 0]);
  });

  test("that hangs is not waited for", async () => {
    const sign = () => new Promise<string>(() => {});
    const call = client({ signer: { keyId: "k", sign }, attemptTimeoutMs: 5, attemptsMax: 2 }).account.get({
      ID: "1",
    });
    await expect(call).rejects.toMatchObject({ name: "TimeoutError", attempts: 2 });
  });
});

describe("who calls", () => {
  test("is asked before every attempt where a function says it", async () => {
    const keys = ["old", "new"];
    const credential = () => ({ userName: "zoë", apiKey: keys.shift() ?? "" });
    service.will(hangUp, result({ account: {} }));
    await client({ credential }).account.get({ ID: "1" });
    const sent = service.received.map(({ api }) =>
      Buffer.from(api["credential"]?.slice(6) ?? "", "base64").toString(),
    );
    expect(sent).toEqual(["zoë:old", "zoë:new"]);
  });

  test("is said to what stands before the service by headers of the caller's own", async () => {
    const seen: string[] = [];
    const authorize: ClientOptions["authorize"] = async (url, { body }) => {
      seen.push(`${new URL(url).pathname} ${JSON.parse(String(body)).method}`);
      return { "x-gateway": `pass-${seen.length}` };
    };
    service.will(hangUp, result({ account: {} }));
    await client({ authorize }).account.get({ ID: "1" });
    expect(seen).toEqual(Array(2).fill("/jsonrpc AccountService.GetAccount"));
    expect(service.received.map(({ headers }) => headers["x-gateway"])).toEqual(["pass-1", "pass-2"]);
  });

  test.each(["credential", "authorize"])(
    "ends the call with what %s throws, which is sent no more",
    async (name) => {
      let asked = 0;
      const broken = new Error("the vault is locked");
      const fails = () => {
        asked += 1;
        throw broken;
      };
      const call = client(Object.fromEntries([[name, fails]])).account.get({ ID: "1" });
      expect(await call.catch((error: unknown) => error)).toBe(broken);
      expect([asked, service.received]).toEqual([1, []]);
    },
  );
});

describe("a repeated attempt", () => {
  test("is signed afresh under the same id, over the bytes it sends", async () => {
    service.will(hangUp, page(502, "<html>"), refusal("UNAVAILABLE"), result({ account: {} }));
    await client().account.get({ ID: "1" });
    expect(service.received).toHaveLength(4);
    expect(new Set(service.received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(service.received.map(({ payload }) => payload)).size).toBe(1);
    expect(new Set(service.received.map(({ api }) => api["signature"])).size).toBe(4);
    for (const { payload, api } of service.received) expect(isSigned(payload, api["signature"])).toBe(true);
  });

  test("of a flat body that makes something new carries the same signature, by which it is known", async () => {
    const payload = { name: "n", callbackUrl: "https://a.example", events: [], groupId: [] };
    service.will(hangUp, page(200, '{"subscriptionId":"s"}'));
    await client().createSubscription(payload);
    expect(new Set(service.received.map(({ headers }) => headers["signature"])).size).toBe(1);
    service.will(hangUp, page(200, '{"id":"s"}'));
    await client().getSource({ source: "core" });
    expect(new Set(service.received.map(({ headers }) => headers["signature"])).size).toBe(1);
  });

  test("comes for what is temporary, and for nothing else", async () => {
    const attempts = async (answer: Answer) => {
      service.will(answer);
      await client({ attemptsMax: 3 })
        .account.get({ ID: "1" })
        .catch(() => {});
      return service.received.length;
    };
    expect(await attempts(refusal("RATE_LIMITED", "", {}, { status: 429 }))).toBe(3);
    expect(await attempts(refusal("UNAVAILABLE", "", {}, { status: 503 }))).toBe(3);
    expect(await attempts(page(429, "slow down"))).toBe(3);
    expect(await attempts(page(500, "oops"))).toBe(3);
    expect(await attempts(refusal("INTERNAL", "", {}, { status: 500 }))).toBe(1);
    expect(await attempts(refusal("NOT_FOUND_ACCOUNT"))).toBe(1);
    expect(await attempts(page(200, "<html>"))).toBe(1);
    expect(await attempts(page(302, "", { location: "https://elsewhere.example" }))).toBe(1);
  });

  test("waits as long as Retry-After says, and not at all where the call's time would not do", async () => {
    service.will(
      refusal("RATE_LIMITED", "", {}, { headers: { "retry-after": "1" } }),
      result({ account: {} }),
    );
    const { pass } = timersByHand({ performance: true });
    let begun = 0;
    const ended = Promise.withResolvers<void>();
    const hooks = { before: () => void (begun += 1), after: () => ended.resolve() };
    const call = client({ hooks }).account.get({ ID: "1" });
    await ended.promise;
    await nextTurn();
    pass(999);
    await nextTurn();
    expect(begun).toBe(1);
    // With the client's own wait, of at most one.
    pass(2);
    await call;
    service.will(refusal("RATE_LIMITED", "", {}, { headers: { "retry-after": "3600" } }));
    await expect(client().account.get({ ID: "1" })).rejects.toMatchObject({
      code: "RATE_LIMITED",
      attempts: 1,
    });
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    service.will(refusal("RATE_LIMITED", "", {}, { headers: { "retry-after": date } }));
    await expect(client().account.get({ ID: "1" })).rejects.toMatchObject({ attempts: 1 });
  });

  test("may wait twice as long each time, up to the longest wait", async () => {
    timersByHand({ performance: true });
    const random = vi.spyOn(Math, "random").mockReturnValue(1);
    onTestFinished(() => random.mockRestore());
    const begunMs: number[] = [];
    const refused = async () => {
      begunMs.push(performance.now());
      return { headers: new Headers() };
    };
    const patience = { attemptsMax: 6, backoffMs: 100, backoffMsMax: 500 };
    const ended = retried(patience, refused, () => true);
    await vi.runAllTimersAsync();
    await ended;
    const [firstMs = 0] = begunMs;
    expect(begunMs.map((ms) => ms - firstMs)).toEqual([0, 100, 300, 700, 1200, 1700]);
  });
});

describe("an error", () => {
  test("says what the service said, and how it came", async () => {
    const data = { field: "/ID", reason: "empty", requestId: "log-7", rpcCode: -32602 };
    service.will(refusal("BAD_INPUT", "ID is invalid or missing", data, { status: 400 }));
    const thrown: unknown = await client()
      .account.get({ ID: "" }, { id: "mine" })
      .catch((error: unknown) => error);
    if (!isLedgerError(thrown)) throw new Error("not a LedgerError");
    expect(thrown).toMatchObject({
      name: "LedgerError",
      code: "BAD_INPUT",
      message: "ID is invalid or missing",
      method: "AccountService.GetAccount",
      id: "mine",
      attempts: 1,
      status: 400,
      field: "/ID",
      reason: "empty",
      requestId: "log-7",
      data,
    });
    expect(thrown).toBeInstanceOf(CallError);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown instanceof LedgerError).toBe(true);
  });

  test("is found by its code and by its class", async () => {
    service.will(refusal("NOT_FOUND_ACCOUNT"));
    const thrown: unknown = await client()
      .account.get({ ID: "1" })
      .catch((error: unknown) => error);
    expect(isLedgerError(thrown, "NOT_FOUND_ACCOUNT")).toBe(true);
    expect(isLedgerError(thrown, "UNAUTHORIZED", "NOT_FOUND_ACCOUNT")).toBe(true);
    expect(isLedgerError(thrown, "UNAUTHORIZED")).toBe(false);
    expect(thrown instanceof NotFoundAccountError).toBe(true);
    expect(thrown instanceof UnauthorizedError).toBe(false);
    expect(isLedgerError(new Error("no"))).toBe(false);
    expect(isLedgerError(undefined)).toBe(false);
    const own = new NotFoundAccountError("gone");
    expect(own instanceof NotFoundAccountError && own instanceof LedgerError).toBe(true);
    expect([own.code, own.message, NotFoundAccountError.code]).toEqual([
      "NOT_FOUND_ACCOUNT",
      "gone",
      "NOT_FOUND_ACCOUNT",
    ]);
  });

  test("keeps a code that a newer service knows", async () => {
    service.will(refusal("FROZEN_BY_COURT", "Frozen"));
    const thrown: unknown = await client()
      .account.get({ ID: "1" })
      .catch((error: unknown) => error);
    expect(isLedgerError(thrown) && thrown.code).toBe("FROZEN_BY_COURT");
  });

  test("may say nothing but its code", async () => {
    service.will(page(200, '{"error":{"code":"CONFLICT","data":null}}'));
    const call = client().account.get({ ID: "1" });
    await expect(call).rejects.toMatchObject({
      name: "LedgerError",
      code: "CONFLICT",
      message: "",
      data: {},
    });
  });

  test("holds no secret of the caller's, however the call failed", async () => {
    const secrets = { UserName: "u", OtpToken: "f00dcafe", Otp: "481205" };
    const broken = pem.replace("M", "A");
    const failures = await Promise.all(
      [
        client({ baseUrl: "http://127.0.0.1:1", attemptsMax: 1 }),
        client({ baseUrl: "http://127.0.0.1:1", totalTimeoutMs: 1 }),
        client({ signer: { keyId: "k", privateKey: broken } }),
        client({ signer: { keyId: "k", privateKey: { kty: "EC", crv: "P-256", d: "c2VjcmV0" } } }),
        ...[refusal("BAD_CREDENTIAL"), page(200, "<html>"), page(500, "{}")].map((answer) =>
          client({ attemptsMax: 1, fetch: async (url, init) => (service.will(answer), fetch(url, init)) }),
        ),
      ].map(async (one) => {
        const thrown: unknown = await one.key
          .completeRegisterDevice(secrets)
          .catch((error: unknown) => error);
        expect(thrown).toBeInstanceOf(Error);
        return inspect(thrown, { depth: Number.POSITIVE_INFINITY, showHidden: true });
      }),
    );
    const der = pem.split("\n")[1] ?? "";
    for (const shown of failures) {
      for (const secret of ["k:1", "Basic ", "f00dcafe", "481205", "c2VjcmV0", der, der.replace("M", "A")]) {
        expect(shown).not.toContain(secret);
      }
    }
  });

  test("tells that no answer came", async () => {
    const call = client({ baseUrl: "http://127.0.0.1:1", attemptsMax: 2 }).account.get({ ID: "1" });
    const thrown: unknown = await call.catch((error: unknown) => error);
    expect(thrown instanceof NetworkError).toBe(true);
    expect(thrown).toMatchObject({
      message: "AccountService.GetAccount got no answer: http://127.0.0.1:1/jsonrpc",
      attempts: 2,
      cause: expect.any(Error),
    });
    expect(thrown).not.toHaveProperty("status");
    expect(thrown instanceof TimeoutError || thrown instanceof LedgerError).toBe(false);
  });

  test("tells an answer that is none", async () => {
    const proxies = ['{"error":"Bad Gateway"}', '{"error":{"message":"no route"}}', '{"error":null}'];
    const others = ["<html>Bad gateway</html>", "[]", '{"result":1}', '{"id":"another","result":{}}'];
    for (const body of [...proxies, ...others]) {
      service.will(page(200, body));
      const thrown: unknown = await client()
        .account.get({ ID: "1" })
        .catch((error: unknown) => error);
      if (!(thrown instanceof UnreadableResponseError)) throw new Error(`read ${body}`);
      expect(thrown).toMatchObject({ status: 200, body });
    }
    service.will((response, { id }) => {
      response.writeHead(404).end(JSON.stringify({ id, result: {} }));
    });
    const missing = client().account.get({ ID: "1" });
    await expect(missing).rejects.toMatchObject({ name: "UnreadableResponseError", status: 404 });
  });

  test("tells that the time ran out: of an attempt, and of all", async () => {
    const { pass } = timersByHand({ performance: true });
    const silentFor = async (ms: number, attempts: number): Promise<void> => {
      await until(() => {
        // The wait before an attempt.
        pass(1);
        return service.received.length === attempts;
      });
      pass(ms);
    };
    service.will(silence);
    const slow = client({ attemptsMax: 2 }).account.get({ ID: "1" });
    const thrown = slow.catch((error: unknown) => error);
    for (const attempt of [1, 2]) await silentFor(15_000, attempt);
    expect((await thrown) instanceof TimeoutError).toBe(true);
    expect(await thrown).toMatchObject({ attempts: 2 });
    service.will(silence);
    const late = client({ totalTimeoutMs: 10_000 }).account.get({ ID: "1" });
    const lateError = late.catch((error: unknown) => error);
    await silentFor(10_000, 1);
    expect(await lateError).toMatchObject({ name: "TimeoutError", attempts: 1 });
  });

  test("is the caller's own reason when the caller gives up", async () => {
    const reason = new Error("enough");
    // What earlier tests gave up may still arrive: this one asks for an account of its own.
    const received = () => service.received.filter(({ body }) => body.includes('"ID":"own"'));
    const before = client().account.get({ ID: "own" }, { signal: AbortSignal.abort(reason) });
    await expect(before).rejects.toBe(reason);
    expect(received()).toHaveLength(0);
    service.will(silence);
    const during = new AbortController();
    const call = client().account.get({ ID: "own" }, { signal: during.signal });
    await expect.poll(received).toHaveLength(1);
    during.abort(reason);
    await expect(call).rejects.toBe(reason);
    service.will(refusal("UNAVAILABLE", "", {}, { headers: { "retry-after": "30" } }));
    const waiting = new AbortController();
    const answered = Promise.withResolvers<void>();
    const retried = client({ hooks: { after: () => answered.resolve() } }).account.get(
      { ID: "1" },
      { signal: waiting.signal },
    );
    await answered.promise;
    waiting.abort(reason);
    await expect(retried).rejects.toBe(reason);
  });
});

describe("hooks", () => {
  test("see every attempt, and no sensitive value", async () => {
    const started: Attempt[] = [];
    const ended: AttemptEnd[] = [];
    const hooks = {
      before: (attempt: Attempt) => void started.push(attempt),
      after: (end: AttemptEnd) => void ended.push(end),
    };
    service.will(hangUp, result({ Status: "SUCCESS", KeyId: "k" }));
    await client({ hooks }).key.completeRegisterDevice({ UserName: "u", OtpToken: "secret", Otp: "123456" });
    const payload = { UserName: "u", OtpToken: "[redacted]", Otp: "[redacted]" };
    expect(started).toMatchObject([
      { method: "KeyService.CompleteRegisterDevice", attempts: 1, payload },
      { attempts: 2, payload },
    ]);
    expect(ended).toMatchObject([
      { attempts: 1, error: { name: "NetworkError" }, durationMs: expect.any(Number) },
      { attempts: 2, status: 200, body: { result: { KeyId: "k" } }, code: undefined },
    ]);
    expect(JSON.stringify([started, ended])).not.toMatch(/secret|123456|k:1|signature/);
  });

  test("see no personal data and no API key, and see the code of a refusal", async () => {
    const ended: AttemptEnd[] = [];
    const watched = client({ hooks: { after: (end) => void ended.push(end) } });
    const party = { Name: "n", Identification: "123-45-6789", DateOfBirth: "19800102" };
    service.will(result({ ReferenceId: "r", CreditorAccount: { CardNumber: "4111 1111", Party: party } }));
    await watched.transaction.getByRef({ ReferenceId: "r" });
    service.will(refusal("CONFLICT"));
    await watched.customer
      .updateShareHolder({
        Id: "1",
        customerId: "2",
        name: "n",
        identification: { type: "SSN", value: "123-45-6789" },
        contact: { phoneNumber: "1" },
        address: { country: "US", addressLine1: "a", city: "c", state: "s", zip: "z" },
        DOB: "19800102",
      })
      .catch(() => {});
    expect(service.received[0]?.api["apiKey"]).toBe("k:1");
    expect(ended).toMatchObject([{ status: 200 }, { status: 200, code: "CONFLICT" }]);
    expect(JSON.stringify(ended)).not.toMatch(/123-45-6789|19800102|4111 1111|k:1|Basic/);
  });

  test("that fail harm no call", async () => {
    const fail = () => {
      throw new Error("the disk is full");
    };
    service.will(result({ account: { id: "1" } }));
    const answered = client({ hooks: { before: fail, after: fail } }).account.get({ ID: "1" });
    expect(await answered).toEqual({ account: { id: "1" } });
  });
});

describe("numbers", () => {
  test("keep every digit the service sent", async () => {
    service.will(
      result('{"account":{"balance":1234567890123456.78,"holdBalance":250.00,"debit":true,"name":"1.50"}}'),
    );
    const { account } = await client().account.get({ ID: "1" });
    expect(account.holdBalance).toBe(250);
    expect(account.name).toBe("1.50");
    expect(money.digits(account, "balance")).toBe("1234567890123456.78");
    expect(money.digits(account, "holdBalance")).toBe("250.00");
    expect(money.digits({ ...account }, "holdBalance")).toBe("250");
    expect(money.sum([account, account], "balance")).toBe("2469135780246913.56");
    expect(money.sum([], "balance")).toBe("0");
  });
});

describe("a list", () => {
  const pages = (count: number): Answer => {
    const ids = Array.from({ length: count }, (_, at) => String(at + 1));
    return (response, request) => {
      const { PageNumber, PageSize } = JSON.parse(request.payload);
      const items = ids.slice((PageNumber - 1) * PageSize, PageNumber * PageSize).map((id) => ({ id }));
      result({ accounts: items, riskScore: 0 })(response, request);
    };
  };

  test("is read page by page until one is not full", async () => {
    service.will(pages(5));
    const ids = [];
    for await (const account of client().accounts.all({ filter: "status = ACTIVE", pageSize: 2 })) {
      ids.push(account.id);
    }
    expect(ids).toEqual(["1", "2", "3", "4", "5"]);
    for (const { payload } of service.received) {
      expect(JSON.parse(payload)).toMatchObject({ filter: "status = ACTIVE" });
    }
  });

  test("is read no further than it is used, in pages as large as the service makes them", async () => {
    service.will(pages(500));
    for await (const account of client().accounts.all()) {
      if (account.id === "7") break;
    }
    expect(service.received.map(({ payload }) => JSON.parse(payload))).toEqual([
      { PageNumber: 1, PageSize: 100 },
    ]);
    service.will(pages(101));
    const all = [];
    for await (const account of client().accounts.all({ pageSize: 5000 })) all.push(account);
    expect(all).toHaveLength(101);
  });
});
