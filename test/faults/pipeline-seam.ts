import { createPipeline as createSoundPipeline, type Pipeline } from "../../runtime/pipeline/index.ts";
import { activeFault } from "./active-fault.ts";
import { knowingItsRequest } from "./current-request.ts";
import type { AnyOptions, Fault } from "./fault.ts";

export * from "../../runtime/pipeline/index.ts";

/** A pipeline, with what the active fault does to its interface. */
export function createPipeline(options: AnyOptions): Pipeline {
  const fault = activeFault;
  if (fault === undefined) return createSoundPipeline(options);
  if (options.realm !== "ledger") return createSoundPipeline(fault.operatorOptions?.(options) ?? options);
  const sound = knowingItsRequest(createSoundPipeline(fault.options?.(options) ?? options));
  const pipeline = fault.pipeline?.(sound) ?? sound;
  return {
    ...pipeline,
    answer: async (request) => faulty(fault, await pipeline.answer(request)),
    refuse: (...parts) => faulty(fault, pipeline.refuse(...parts)),
  };
}

type Response = ReturnType<Pipeline["refuse"]>;

function faulty(fault: Fault, response: Response): Response {
  if (fault.response === undefined && fault.status === undefined) return response;
  const json: unknown = JSON.parse(response.body);
  const isError = typeof json === "object" && json !== null && "error" in json;
  const seen = { json, method: response.trace.method, status: response.status, isError };
  const body = fault.response === undefined ? response.body : JSON.stringify(fault.response(seen));
  return { ...response, body, status: fault.status?.(seen) ?? response.status };
}
