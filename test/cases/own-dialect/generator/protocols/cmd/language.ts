import type { ProtocolLanguage } from "../../language/structure/protocols.ts";
import { language as jsonRpc } from "../json-rpc/language.ts";

/** What the spec language asks of interfaces in this dialect. */
export const language: ProtocolLanguage = { ...jsonRpc, protocol: "cmd" };
