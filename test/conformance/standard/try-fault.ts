import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { conform } from "../patient.ts";
import { startService } from "../../../runtime/service/index.ts";
import { describedBy, tasksYaml } from "./describe.ts";
import type { Incoming, StandardFault } from "./faults.ts";
import { accessTo, handlers, started, verifiers, type StartedService } from "./service.ts";

const tasks = describedBy(tasksYaml);

/** The ids of cases that fail where a service of `tasks.yaml` has a fault, or none; at most so many. */
export async function failuresWith(
  fault: Partial<StandardFault>,
  failuresMax = 1,
): Promise<readonly string[]> {
  const service = await startedWith(fault);
  try {
    const { outcomes } = await conform({
      ...tasks.suite,
      access: accessTo(service.baseUrl),
      baseUrl: service.baseUrl,
      seed: 1,
      failuresMax,
    });
    return outcomes.filter(({ status }) => status === "failed" || status === "broken").map(({ id }) => id);
  } finally {
    service.close();
  }
}

async function startedWith(fault: Partial<StandardFault>): Promise<StartedService> {
  const descriptor = fault.descriptor?.(tasks.descriptor) ?? tasks.descriptor;
  const service = startService(descriptor, fault.handlers?.(handlers) ?? handlers, {
    auth: fault.verifiers?.(verifiers) ?? verifiers,
    onFailure: () => undefined,
    checkResults: false,
  });
  const respond = async (request: IncomingMessage): Promise<{ status: number; text: string }> => {
    const bytes = await buffer(request);
    const { incoming = (given: Incoming) => given } = fault;
    const sent = { headers: singleHeaders(request), text: bytes.toString() };
    const taken = incoming(sent);
    // Bytes that are no UTF-8 stay as they are.
    const body = taken.text === sent.text ? bytes : Buffer.from(taken.text);
    const evidence = {
      body,
      header: (name: string) => request.headersDistinct[name] ?? [],
      httpMethod: request.method ?? "",
      target: request.url ?? "",
      peerAddress: "127.0.0.1",
    };
    const answer = await service.open({ transport: "http", evidence }).answer(body);
    const outgoing = { status: answer.httpStatus, text: answer.text ?? "" };
    return fault.outgoing?.(outgoing, sent) ?? outgoing;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, text } = await respond(request);
    response.writeHead(status, text === "" ? {} : { "content-type": "application/json" });
    response.end(status === 204 ? undefined : text);
  };
  return await started((request, response) => void answer(request, response));
}

function singleHeaders(request: IncomingMessage): Incoming["headers"] {
  return Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(", ")]),
  );
}
