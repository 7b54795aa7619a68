import type { Fault } from "../contract/index.ts";
import type { AnyHandler, PipelineOptions } from "./options.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

/** One interface, ready to answer. */
export interface Pipeline {
  /** Name of the interface. */
  readonly name: string;
  /** Own revision, echoed in `X-Interface-Revision` (D-46). */
  readonly revision: string;
  /** Request path. */
  readonly path: string;
  /** Answers one request. Never rejects. */
  answer(request: WireRequest): Promise<WireAnswer>;
  /** The answer to a fault of the transport, before anything was decoded (D-02). */
  refuse(fault: Fault, status: number, reason: string): WireAnswer;
}

/** Composes the stages decode, authenticate, authorize, validate, dispatch and encode over one interface. */
export function createPipeline<Handlers extends Readonly<Record<keyof Handlers, AnyHandler>>>(
  options: PipelineOptions<Handlers>,
): Pipeline {
  const { name, revision, path } = options.interfaceDescriptor;
  throw new Error(`${name} ${revision} ${path} is being built`);
}
