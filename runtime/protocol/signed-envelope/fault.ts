import {
  omitUndefined,
  RpcError,
  type Fault,
  type InterfaceDescriptor,
  type JsonObject,
} from "../../contract/index.ts";

/** The JSON-RPC 2.0 integers of the conditions that the pipeline itself detects (section 5.1 there). */
export const parseErrorCode = -32700;
export const invalidRequestCode = -32600;
export const methodNotFoundCode = -32601;

export interface FaultDetail {
  /** Name that `{field}` of the message stands for, where that is not the last of `pointer`. */
  readonly fieldName?: string;
  /** JSON Pointer into the payload. */
  readonly pointer?: string;
  readonly reason?: string;
  /** Replaces the integer that the spec gives the code. */
  readonly rpcCode?: number;
  readonly data?: JsonObject;
  readonly cause?: unknown;
}

/** A condition that the pipeline detects, as the code that the interface reports it by. */
export class PipelineFault extends RpcError {
  readonly fieldName: string | undefined;
  readonly rpcCode: number | undefined;

  constructor(code: string, detail: FaultDetail = {}) {
    const { pointer, reason, data, cause } = detail;
    super(code, omitUndefined({ field: pointer, reason, data, cause }));
    this.fieldName = detail.fieldName;
    this.rpcCode = detail.rpcCode;
  }
}

/** Builds the faults of one interface. */
export type FaultFactory = (fault: Fault, detail?: FaultDetail) => PipelineFault;

export function faultsOf({ faults }: InterfaceDescriptor): FaultFactory {
  return (fault, detail) => new PipelineFault(faults[fault], detail);
}
