import { describe, expect, test } from "vitest";
import type { AuthScheme, Evidence, SchemeVerifier, Verdict } from "../../runtime/auth/port.ts";
import { createReplayRegister } from "../../runtime/auth/replays.ts";
import { omitUndefined, type SchemeDescriptor } from "../../runtime/contract/index.ts";
import type { AuthServices } from "../../runtime/auth/auth-services.ts";
import { evidenceOf, plainRequest, withHeaders, type SentRequest } from "./requests.ts";

/** One scheme, and how credentials for it are made by something that is not the scheme. */
export interface SchemeCase {
  readonly declared: SchemeDescriptor;
  /** Knows `ann` and `bob`, by their names. */
  readonly verifier: SchemeVerifier<string, string>;
  /** Users and keys, for a scheme over a store. */
  readonly services?: AuthServices;
  /** The evidence of a protocol that says more than the request. */
  evidence?(request: Evidence): Evidence;
  /** The headers of a request by a caller at a time; `claims` to be one whose key it does not have. */
  present(request: SentRequest, by: Presenter): Headers | Promise<Headers>;
  /** Header values that are not written as the scheme wants them, in the scheme's first header. */
  readonly malformed: readonly string[];
  /** Parts of a request that credentials are bound to. */
  readonly covers: readonly ("body" | "httpMethod" | "target")[];
  /** Whether credentials are good once only. */
  readonly once: boolean;
  /** For how many seconds before and after they are made credentials are good; `good` is absent where they do not end. */
  readonly good?: { readonly before?: number; readonly after: number };
}

type Headers = Readonly<Record<string, string>>;

export interface Presenter {
  readonly nowMs: number;
  readonly key: "ann" | "bob" | "eve";
  /** Whom the request names, where that is another than the owner of the key. */
  readonly claims?: "ann" | "bob";
}

export const startMs = 1_800_000_000_000;
const refusals = ["malformed", "rejected", "expired", "replayed"];

/** What every scheme does, whatever it is. */
export function describeScheme(name: string, scheme: SchemeCase): void {
  describe(name, () => {
    test("takes each caller's credentials for that caller", async () => {
      const { send } = harness(scheme);
      expect(callerIn(await send(await presented(scheme, { key: "ann" })))).toBe("ann");
      expect(callerIn(await send(await presented(scheme, { key: "bob" })))).toBe("bob");
    });

    test("finds nothing where nothing is presented, or credentials of another scheme", async () => {
      const { send } = harness(scheme);
      expect((await send(plainRequest)).kind).toBe("missing");
      const negotiating = withHeaders(plainRequest, { authorization: "Negotiate YII=" });
      expect((await send(negotiating)).kind).toBe("missing");
    });

    test("refuses credentials of an unknown key, and of a key that is not the caller's", async () => {
      const { send } = harness(scheme);
      expect((await send(await presented(scheme, { key: "eve" }))).kind).toBe("rejected");
      const stolen = await send(await presented(scheme, { key: "eve", claims: "ann" }));
      expect(stolen.kind).toBe("rejected");
    });

    test.each(scheme.malformed.map((text) => [text]))(
      "refuses what is not well written: %s",
      async (text) => {
        const { send } = harness(scheme);
        const request = await presented(scheme, { key: "ann" });
        const header = firstHeader(request);
        const odd = {
          ...request,
          headers: request.headers.map(([own, value]) => [own, own === header ? text : value] as const),
        };
        expect((await send(odd)).kind).toBe("malformed");
      },
    );

    test("refuses credentials that come twice, and a header of 100,000 characters", async () => {
      const { send } = harness(scheme);
      const request = await presented(scheme, { key: "ann" });
      const other = await presented(scheme, { key: "bob" });
      const header = firstHeader(request);
      const value = (from: SentRequest): string => from.headers.find(([own]) => own === header)?.[1] ?? "";
      const twice = { ...request, headers: [...request.headers, [header, value(other)] as const] };
      expect(refusals).toContain((await send(twice)).kind);
      const long = (text: string): SentRequest => ({
        ...request,
        headers: request.headers.map(([own, old]) => [own, own === header ? text : old] as const),
      });
      expect(["malformed", "missing"]).toContain((await send(long("x".repeat(100_000)))).kind);
      const padded = value(request).replace(/.$/, (last) => last + "A".repeat(100_000));
      expect((await send(long(padded))).kind).toBe("malformed");
    });

    if (scheme.covers.length > 0) {
      const changes = {
        body: plainRequest.body.replace("12.50", "99.50"),
        httpMethod: "PUT",
        target: "/admin?tenant=7",
      };
      test.each(scheme.covers.map((part) => [part]))(
        "refuses the same credentials for another %s",
        async (part) => {
          const { send } = harness(scheme);
          const request = await presented(scheme, { key: "ann" });
          const changed = await send({ ...request, [part]: changes[part] });
          expect(["rejected", "malformed", "missing"]).toContain(changed.kind);
          expect(callerIn(await send(request))).toBe("ann");
        },
      );
    }

    test(scheme.once ? "takes credentials once" : "takes credentials again", async () => {
      const { send } = harness(scheme);
      const request = await presented(scheme, { key: "ann" });
      expect(callerIn(await send(request))).toBe("ann");
      expect((await send(request)).kind).toBe(scheme.once ? "replayed" : "identity");
      expect(callerIn(await send(await presented(scheme, { key: "bob" })))).toBe("bob");
    });

    if (scheme.good !== undefined) {
      const { before, after } = scheme.good;
      test("knows when credentials end, with the difference of clocks that the spec allows", async () => {
        const request = await presented(scheme, { key: "ann" });
        const at = async (seconds: number): Promise<string> =>
          (await harness(scheme, () => startMs + seconds * 1000).send(request)).kind;
        expect([await at(-(before ?? 0)), await at(after)]).toEqual(["identity", "identity"]);
        expect(await at(after + 1)).toBe("expired");
        if (before !== undefined) expect(["expired", "rejected"]).toContain(await at(-before - 1));
      });
    }

    if (scheme.once && scheme.good !== undefined) {
      const { after } = scheme.good;
      test("remembers what it took for as long as it would take it, and nothing that it did not", async () => {
        const clock = { nowMs: startMs };
        const { send } = harness(scheme, () => clock.nowMs);
        const request = await presented(scheme, { key: "ann" });
        expect(callerIn(await send(request))).toBe("ann");
        for (const seconds of [1, after - 1, after]) {
          clock.nowMs = startMs + seconds * 1000;
          expect((await send(request)).kind, `after ${seconds} s`).toBe("replayed");
        }
        // Others of the same second are still new.
        expect(callerIn(await send(await presented(scheme, { key: "bob" })))).toBe("bob");
      });
    }

    test("never takes changed credentials for another caller's, never fails, and repeats none of them", async () => {
      const { send } = harness(scheme);
      const request = await presented(scheme, { key: "ann" });
      const header = firstHeader(request);
      for (const [at, [own, value]] of request.headers.entries()) {
        if (own === "content-type" || own === "host") continue;
        for (let index = 0; index < value.length; index += Math.ceil(value.length / 40)) {
          const text = `${value.slice(0, index)}${value[index] === "A" ? "B" : "A"}${value.slice(index + 1)}`;
          const verdict = await send({ ...request, headers: request.headers.with(at, [own, text]) });
          if (verdict.kind === "identity") expect(verdict.identity.caller).toBe("ann");
          else if ("reason" in verdict) expect(verdict.reason).not.toContain(text.slice(0, 40));
        }
      }
      expect(header).not.toBe("");
    });
  });
}

function harness(
  { declared, verifier, services, evidence = (plain) => plain }: SchemeCase,
  now = () => startMs,
) {
  const clock = { now };
  const replays = createReplayRegister({ clock });
  const bound: AuthScheme<string> = verifier.bind(declared, {
    scheme: "own",
    realm: "tasks",
    clock,
    replays,
    ...omitUndefined({ services }),
  });
  return {
    send: async (request: SentRequest): Promise<Verdict<string>> =>
      bound.verify(evidence(evidenceOf(request))),
  };
}

async function presented(scheme: SchemeCase, by: Omit<Presenter, "nowMs">): Promise<SentRequest> {
  const headers = await scheme.present(plainRequest, { nowMs: startMs, ...by });
  return withHeaders(plainRequest, headers);
}

/** The first header that the scheme itself adds. */
function firstHeader(request: SentRequest): string {
  return request.headers[plainRequest.headers.length]?.[0] ?? "";
}

function callerIn(verdict: Verdict<string>): string {
  return verdict.kind === "identity" ? verdict.identity.caller : verdict.kind;
}
