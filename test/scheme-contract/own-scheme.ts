import type { SchemeVerifier } from "../../runtime/auth/port.ts";

/** A scheme of a project's own, whole: callers at a desk name it, and a desk is open at certain hours (UTC). */
export function desk(desks: Readonly<Record<string, string>>): SchemeVerifier<"x-desk", string> {
  return {
    kind: "x-desk",
    bind: ({ opens, closes }, { clock }) => ({
      verifies: "request",
      verify(evidence) {
        const [name, ...others] = evidence.header("x-desk");
        if (name === undefined) return { kind: "missing" };
        const clerk = Object.hasOwn(desks, name) && others.length === 0 ? desks[name] : undefined;
        if (clerk === undefined) return { kind: "rejected", reason: "no such desk" };
        const hour = new Date(clock.now()).getUTCHours();
        if (hour < Number(opens) || hour >= Number(closes)) return { kind: "expired" };
        return { kind: "identity", identity: { caller: clerk, scopes: ["desk"] } };
      },
    }),
  };
}
