import type { ProtocolLanguage } from "../language/structure/protocols.ts";
import { byProtocol, modulesOf } from "./folders.ts";

const languages = byProtocol<ProtocolLanguage>("language", await modulesOf("language"));

/** The protocols that an interface may speak. */
export const protocolNames: readonly string[] = languages.names;

/** What the spec language asks of the interfaces of a protocol. */
export const languageOf = languages.of;
