import { describe, expect, test } from "vitest";
import type { AuthScheme, Evidence, Verdict } from "../../runtime/auth/port.ts";
import type { Caller } from "../../runtime/auth/auth-services.ts";

/** A scheme over parts of its own, and calls for it. */
export interface SchemeUnderTest {
  readonly scheme: AuthScheme<Caller>;
  /** Its calls are by this user. */
  readonly userName: string;
  /** A call that is accepted. Calls of different `id` are different requests; of the same, repetitions. */
  good(id: string): Evidence;
  /** Calls that are refused before anyone is identified: without a credential, with another's, with a wrong one. */
  readonly unidentified: Readonly<Record<string, () => Evidence>>;
  /** Calls that are refused after: a forged payload, an unknown key. None where a credential is all there is. */
  readonly forged: Readonly<Record<string, () => Evidence>>;
}

/** What the port asks of a scheme whose interface counts the calls of each user. */
export function describeCalls(name: string, open: () => Promise<SchemeUnderTest>): void {
  describe(name, () => {
    test("gives caller and scopes of an authentic call, and names the user once", async () => {
      const { scheme, good, userName } = await open();
      const { outcome, events } = await tried(scheme, good("1"));
      expect(outcome).toMatchObject({
        kind: "identity",
        identity: { caller: { userName }, scopes: expect.any(Array) },
      });
      expect(events[0]).toBe(`identified ${userName}`);
      expect(events.filter((event) => event.startsWith("identified"))).toHaveLength(1);
    });

    test("tells requests apart, and repetitions not", async () => {
      const { scheme, good } = await open();
      const [first, again, other] = await Promise.all(
        ["1", "1", "2"].map(async (id) => {
          const verdict = await scheme.verify(good(id));
          return "requestIdentity" in verdict ? verdict.requestIdentity : undefined;
        }),
      );
      expect(again).toBe(first);
      if (first !== undefined) expect(other).not.toBe(first);
    });

    test("refuses what has no good credential, before anyone is named", async () => {
      const { scheme, unidentified } = await open();
      expect(Object.keys(unidentified).length).toBeGreaterThan(1);
      for (const [which, call] of Object.entries(unidentified)) {
        const { outcome, events } = await tried(scheme, call());
        expect(outcome.kind, which).not.toBe("identity");
        expect(events, which).toEqual([]);
      }
    });

    test("refuses forged calls of a named user", async () => {
      const { scheme, forged, userName } = await open();
      for (const [which, call] of Object.entries(forged)) {
        const { outcome, events } = await tried(scheme, call());
        expect(outcome.kind, which).not.toBe("identity");
        expect(events[0], which).toBe(`identified ${userName}`);
      }
    });

    test("goes no further where the observer halts it", async () => {
      const { scheme, good } = await open();
      const halted = { kind: "halted" } as const;
      const events: string[] = [];
      const keyFound = (keyId: string) => void events.push(keyId);
      for (const identified of [() => halted, () => Promise.resolve(halted)])
        expect(await scheme.verify(good("1"), { identified, keyFound })).toEqual(halted);
      expect(events).toEqual([]);
    });
  });
}

async function tried(
  scheme: AuthScheme<Caller>,
  call: Evidence,
): Promise<{ readonly outcome: Verdict<Caller>; readonly events: readonly string[] }> {
  const events: string[] = [];
  const observer = {
    identified: (userName: string) => void events.push(`identified ${userName}`),
    keyFound: (keyId: string) => void events.push(`key ${keyId}`),
  };
  return { outcome: await scheme.verify(call, observer), events };
}
