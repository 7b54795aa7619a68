import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { credentialHeaders } from "../../conformance/request/credentials.ts";
import { schemeKinds, type SchemeKind } from "../../conformance/request/schemes/index.ts";
import type { CredentialPlan, SchemeEntry } from "../../conformance/suite/json-rpc.ts";
import { createReplayRegister } from "../../runtime/auth/replays.ts";
import { verifiersOf } from "../../tools/protocols/json-rpc/verifiers.ts";
import { evidenceOf, plainRequest, withHeaders } from "./requests.ts";

/** The page that calls an interface from a browser. */
interface Page {
  kindOf(scheme: { readonly kind: string }): object;
}

/** The options that a spec has to give, with values that the kind takes: the first and last algorithm of each group. */
function declared({ required, algorithms, covers }: SchemeKind): readonly Record<string, unknown>[] {
  const values: Readonly<Record<string, unknown>> = { header: "X-Proof", covers: covers?.known };
  const plain = Object.fromEntries(required.map((option) => [option, values[option]]));
  return (
    algorithms
      ?.flatMap((group) => [group[0], group.at(-1)])
      .map((each) => ({ ...plain, algorithms: [each] })) ?? [plain]
  );
}

/** Certificates are issued by others. */
const entries = Object.entries(schemeKinds)
  .filter(([, { access }]) => access.made !== undefined)
  .flatMap(([kind, entry]) => declared(entry).map((options) => [kind, options] as const));

describe("every kind of the table", () => {
  test.for(Object.keys(schemeKinds))(
    "%s is verified by the runtime and asked for by the page",
    async (kind) => {
      // Compiled for a browser: this program knows no elements.
      const page: Page = await import(join(import.meta.dirname, "../../web/try/scheme-kinds.ts"));
      expect(existsSync(`runtime/auth/${kind}/index.ts`)).toBe(true);
      expect(page.kindOf({ kind })).not.toBe(page.kindOf({ kind: "x-own" }));
    },
  );

  test.for(entries)("a service of tests takes the %s that is made for it, %j", async ([kind, options]) => {
    const scheme: SchemeEntry = { name: "who", kind, options };
    const made = schemeKinds[kind]?.access.made?.(options) ?? {};
    const credentials = { who: { ...made, origin: "http://127.0.0.1" } };
    const verifier = verifiersOf({ schemes: [scheme], methods: [] }, credentials)["who"];
    const replays = createReplayRegister({ clock: { now: Date.now } });
    const binding = { scheme: "who", realm: "tests", clock: { now: Date.now }, replays };
    const bound = verifier?.bind({ kind, ...options }, binding);
    const verdict = async (change?: CredentialPlan["change"]): Promise<string | undefined> => {
      const plan = { scheme: "who", scopes: [], ...(change && { change }) };
      const request = { ...plainRequest, body: Buffer.from(plainRequest.body) };
      const headers = credentialHeaders([plan], [scheme], credentials, request, crypto.randomUUID());
      return (await bound?.verify(evidenceOf(withHeaders(plainRequest, headers))))?.kind;
    };
    expect(await verdict()).toBe("identity");
    expect(await verdict("wrong")).toBe("rejected");
  });
});
