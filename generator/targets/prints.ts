import type { ServiceModel } from "../model/service-model.ts";
import { protocolOf } from "../protocols/index.ts";
import { hasPart } from "../protocols/parts.ts";
import type { Emitter } from "./emitter.ts";

/** Whether an emitter prints interfaces of this protocol. Apart from `index.ts`, for it loads what every protocol prints. */
export function prints({ name, part }: Pick<Emitter, "name" | "part">, model: ServiceModel): boolean {
  return !protocolOf(model).without.includes(name) && (part === undefined || hasPart(model, part));
}
