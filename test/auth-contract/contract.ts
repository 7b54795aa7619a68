import { describe, expect, test } from "vitest";
import {
  AuthFault,
  type AuthCall,
  type Authenticated,
  type AuthFaultDetail,
  type AuthScheme,
} from "../../runtime/auth/auth-scheme.ts";

/** A scheme over parts of its own, and calls for it. */
export interface SchemeUnderTest {
  readonly scheme: AuthScheme;
  /** Its calls are by this user. */
  readonly userName: string;
  /** A call that is accepted. Calls of different `id` are different requests; of the same, repetitions. */
  good(id: string): AuthCall;
  /** Calls that are refused before anyone is identified: without a credential, with another's, with a wrong one. */
  readonly unidentified: Readonly<Record<string, () => AuthCall>>;
  /** Calls that are refused after: a forged payload, an unknown key. None where a credential is all there is. */
  readonly forged: Readonly<Record<string, () => AuthCall>>;
}

/** What the port `AuthScheme` asks of every scheme. */
export function authSchemeContract(name: string, open: () => Promise<SchemeUnderTest>): void {
  describe(`AuthScheme contract: ${name}`, () => {
    test("gives caller and scopes of an authentic call, and names the user once", async () => {
      const { scheme, good, userName } = await open();
      const { outcome, events } = await tried(scheme, good("1"));
      expect(outcome).toMatchObject({ caller: { userName }, scopes: expect.any(Array) });
      expect(events[0]).toBe(`identified ${userName}`);
      expect(events.filter((event) => event.startsWith("identified"))).toHaveLength(1);
    });

    test("tells requests apart, and repetitions not", async () => {
      const { scheme, good } = await open();
      const identities = await Promise.all(
        ["1", "1", "2"].map((id) => scheme.authenticate(good(id), { identified() {}, keyFound() {} })),
      );
      const [first, again, other] = identities.map(({ requestIdentity }) => requestIdentity);
      expect(again).toBe(first);
      if (first !== undefined) expect(other).not.toBe(first);
    });

    test("refuses what has no good credential, before anyone is named", async () => {
      const { scheme, unidentified } = await open();
      expect(Object.keys(unidentified).length).toBeGreaterThan(1);
      for (const [which, call] of Object.entries(unidentified)) {
        const { outcome, events } = await tried(scheme, call());
        expect(detailOf(outcome), which).toBeDefined();
        expect(events, which).toEqual([]);
      }
    });

    test("refuses forged calls of a named user", async () => {
      const { scheme, forged, userName } = await open();
      for (const [which, call] of Object.entries(forged)) {
        const { outcome, events } = await tried(scheme, call());
        expect(detailOf(outcome), which).toBeDefined();
        expect(events[0], which).toBe(`identified ${userName}`);
      }
    });

    test("goes no further where the observer objects, and passes its error on", async () => {
      const { scheme, good } = await open();
      const limit = new Error("too many requests");
      const events: string[] = [];
      const observer = {
        identified(): void {
          throw limit;
        },
        keyFound: (keyId: string) => void events.push(keyId),
      };
      await expect(scheme.authenticate(good("1"), observer)).rejects.toBe(limit);
      const later = { ...observer, identified: () => Promise.reject(limit) };
      await expect(scheme.authenticate(good("1"), later)).rejects.toBe(limit);
      expect(events).toEqual([]);
    });
  });
}

async function tried(
  scheme: AuthScheme,
  call: AuthCall,
): Promise<{ readonly outcome: Authenticated | AuthFault; readonly events: readonly string[] }> {
  const events: string[] = [];
  const observer = {
    identified: (userName: string) => void events.push(`identified ${userName}`),
    keyFound: (keyId: string) => void events.push(`key ${keyId}`),
  };
  try {
    return { outcome: await scheme.authenticate(call, observer), events };
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    return { outcome: error, events };
  }
}

function detailOf(outcome: Authenticated | AuthFault): AuthFaultDetail | undefined {
  return outcome instanceof AuthFault ? outcome.detail : undefined;
}
