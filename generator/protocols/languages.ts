import type { Protocol, ProtocolLanguage } from "../language/structure/protocols.ts";
import { language as jsonRpc } from "./json-rpc/language.ts";
import { language as signed } from "./signed/language.ts";

/** What the spec language asks of the interfaces of each protocol. */
export const languageOf: Readonly<Record<Protocol, ProtocolLanguage>> = {
  "json-rpc-2.0": jsonRpc,
  "signed-envelope": signed,
};
