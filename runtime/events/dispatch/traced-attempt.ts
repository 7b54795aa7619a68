import type { Tracer } from "../../store/ports/index.ts";
import type { AttemptOutcome } from "../model/attempt-outcome.ts";
import type { DeliveryJob } from "../model/delivery-job.ts";

/**
 * Makes an attempt a span in the trace of the call that caused the event, a later one too, and hands its
 * `traceparent` to `send`. The trace names the host of the address alone: paths may hold a subscriber's secrets.
 */
export function tracedAttempt(
  tracer: Tracer,
  job: DeliveryJob,
  send: (job: DeliveryJob, traceParent: string) => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const { delivery, event, subscription } = job;
  const attributes = {
    "http.request.method": "POST",
    "server.address": new URL(subscription.callbackUrl).hostname,
    "ledger.event": event.name,
    "ledger.delivery.id": delivery.id,
    "ledger.delivery.attempt": delivery.attempts + 1,
    "ledger.subscription.id": subscription.id,
  };
  const traceParent = event.traceParent ?? null;
  return tracer.span({ name: "webhook", kind: "client", traceParent, attributes }, async (span) => {
    const outcome = await send(job, span.traceParent);
    if (outcome.status !== undefined) span.set({ "http.response.status_code": outcome.status });
    if (outcome.failure !== undefined) span.fail(outcome.failure);
    return outcome;
  });
}
