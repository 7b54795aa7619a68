import type { ProtocolLanguage } from "../../language/structure/protocols.ts";
import { language as jsonRpc } from "../json-rpc/language.ts";

const flat = "drop it: the members of a call are its parameters";

/** What the spec language asks of interfaces whose errors are problem objects (RFC 9457). */
export const language: ProtocolLanguage = {
  ...jsonRpc,
  protocol: "problem",
  hasPositions: false,
  foreign: {
    ...jsonRpc.foreign,
    wire: { ...jsonRpc.foreign["wire"], params: flat, batch: flat, transports: flat },
    method: { ...jsonRpc.foreign["method"], params: flat, notify: flat },
    error: { ...jsonRpc.foreign["error"], data: flat },
  },
};
