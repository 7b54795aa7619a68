import type { InterfaceSpec, LoadedSpec, MethodSpec } from "../language/index.ts";
import type { MethodModel, WireModel } from "./service-model.ts";

/** What a checked spec means in a protocol. */
export interface ProtocolModel {
  /** Its name, as `wire.protocol` of a spec has it. */
  readonly protocol: string;
  /** Path of the endpoint. */
  path(own: InterfaceSpec): string;
  /** The wire of a spec, with the defaults of its protocol. */
  wire(loaded: LoadedSpec): WireModel;
  /** How a method is called. */
  transport(method: MethodSpec, loaded: LoadedSpec): MethodModel["transport"];
}
