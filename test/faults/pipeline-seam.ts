import {
  createPipeline as createSoundPipeline,
  type Pipeline,
  type RawResponse,
} from "../../runtime/pipeline/index.ts";
import { activeFault } from "./active-fault.ts";
import type { AnyOptions, Fault } from "./fault.ts";

export * from "../../runtime/pipeline/index.ts";

/** The pipeline, with what the active fault does to the documented interface. */
export function createPipeline(options: AnyOptions): Pipeline {
  const isDocumented = options.realm === "ledger";
  const changed = isDocumented ? (activeFault?.options?.(options) ?? options) : options;
  const pipeline = createSoundPipeline(changed);
  if (!isDocumented || activeFault === undefined) return pipeline;
  const fault = activeFault;
  return {
    ...pipeline,
    answer: async (request) => faulty(fault, await pipeline.answer(request)),
    refuse: (...parts) => faulty(fault, pipeline.refuse(...parts)),
  };
}

function faulty(fault: Fault, answer: RawResponse): RawResponse {
  if (fault.answer === undefined && fault.status === undefined) return answer;
  const json: unknown = JSON.parse(answer.body);
  const isError = typeof json === "object" && json !== null && "error" in json;
  const seen = { json, method: answer.trace.method, status: answer.status, isError };
  const body = fault.answer === undefined ? answer.body : JSON.stringify(fault.answer(seen));
  return { ...answer, body, status: fault.status?.(seen) ?? answer.status };
}
