import { facts as jsonRpc } from "../json-rpc/facts.ts";
import type { Protocol } from "../protocol.ts";

/** JSON-RPC 2.0, but for the names of members. */
export const facts: Protocol = { ...jsonRpc, protocol: "cmd" };
