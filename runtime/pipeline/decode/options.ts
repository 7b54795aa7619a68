import type { InterfaceDescriptor } from "../../contract/index.ts";
import type { FaultFactory } from "../fault.ts";

export interface DecodeOptions {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly fault: FaultFactory;
  readonly rejectUnknown: boolean;
}

/** What decoding has found out so far: an error answer echoes the id once it is known to be a valid one. */
export interface Decoding {
  id: string | null;
}
