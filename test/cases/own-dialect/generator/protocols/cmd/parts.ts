import { parts as jsonRpc } from "../json-rpc/parts.ts";
import type { Parts } from "../protocol.ts";

/** What targets print for it: all that they print for JSON-RPC 2.0. */
export const parts: Parts = { ...jsonRpc, protocol: "cmd" };
