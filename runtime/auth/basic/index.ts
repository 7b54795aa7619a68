import { authorization, quoted, verdictOf, type Found } from "../scheme-parts.ts";
import type { SchemeVerifier } from "../port.ts";

export interface BasicOptions<Caller> {
  /**
   * Checks a user's password and gives the caller; nothing if either is wrong. Takes the same time for an unknown user
   * as for a wrong password, where names of users are no public matter.
   */
  caller(credentials: { readonly userName: string; readonly password: string }): Found<Caller>;
}

/** User name and password (RFC 7617), in UTF-8. */
export function basic<Caller>({ caller }: BasicOptions<Caller>): SchemeVerifier<"basic", Caller> {
  return {
    kind: "basic",
    bind: (_declared, { realm, clock }) => ({
      verifies: "request",
      challenge: `Basic realm=${quoted(realm)}, charset="UTF-8"`,
      verify(evidence) {
        const presented = authorization(evidence, "basic");
        if (presented.kind !== "text") return presented;
        const decoded = decode(presented.text);
        const colon = decoded?.indexOf(":") ?? -1;
        if (decoded === undefined || colon < 0)
          return { kind: "malformed", reason: "no user name and password" };
        const credentials = { userName: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
        return verdictOf(caller(credentials), clock.now());
      },
    }),
  };
}

/** UTF-8 without control characters (RFC 7617, section 2); nothing for other bytes and for careless base64. */
function decode(text: string): string | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) return undefined;
  const decoded = bytes.toString("utf8");
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  const isText = Buffer.from(decoded, "utf8").equals(bytes) && !/[\u0000-\u001F\u007F]/.test(decoded);
  return isText ? decoded : undefined;
}
