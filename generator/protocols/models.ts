import type { ProtocolModel } from "../model/protocol-model.ts";
import { byProtocol, modulesOf } from "./folders.ts";

/** The part of a protocol in building a model. */
export const modelOf = byProtocol<ProtocolModel>("model", await modulesOf("model")).of;
