import type { InterfaceDescriptor } from "../../contract/index.ts";
import type { FaultFactory } from "../fault.ts";

export interface DecodeOptions {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly fault: FaultFactory;
  readonly rejectUnknown: boolean;
}

/** The state of decoding: an error answer echoes the id once it is known to be valid. */
export interface Decoding {
  id: string | null;
}
