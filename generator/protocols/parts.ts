import type { ServiceModel } from "../model/service-model.ts";
import { byProtocol, MissingPart, modulesOf } from "./folders.ts";
import type { Parts } from "./protocol.ts";

const parts = byProtocol<Parts>("parts", await modulesOf("parts"));

type PartName = Exclude<keyof Parts, "protocol">;

/** Whether a protocol has a part: without it, the targets of the part print nothing. */
export function hasPart({ wire }: Pick<ServiceModel, "wire">, name: PartName): boolean {
  return parts.of(wire.protocol)[name] !== undefined;
}

/** What targets print for an interface. @throws Error if its protocol lacks the part */
export function partOf<Name extends PartName>(
  { wire }: Pick<ServiceModel, "wire">,
  name: Name,
): Required<Parts>[Name] {
  const part: Partial<Required<Parts>>[Name] = parts.of(wire.protocol)[name];
  if (part === undefined) throw new MissingPart(wire.protocol, `the part \`${name}\``);
  return part;
}
