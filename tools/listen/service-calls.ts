import { randomUUID } from "node:crypto";
import { omitUndefined } from "../../conformance/omit-undefined.ts";
import type { Access } from "../../conformance/request/access.ts";
import { exchange } from "../call/exchange.ts";
import { envelopeText, signedMembers, signedMessage } from "../protocols/signed/request.ts";
import { FinalError } from "./event-source.ts";

/** Calls a method of a service's signed interface and returns its result. @throws FinalError for an error of the caller */
export type CallService = (method: string, payload: object) => Promise<unknown>;

/** An error that the service answered. */
export class ServiceFault extends FinalError {
  readonly code: string;

  constructor(method: string, code: string, message: string) {
    super(`${method}: ${code}: ${message}`);
    this.code = code;
  }
}

/** Errors that are over after some time. */
const passing: ReadonlySet<string> = new Set(["RATE_LIMITED", "UNAVAILABLE", "INTERNAL"]);
const timeoutSeconds = 30;

export function serviceCalls(access: Access, url: URL, signal?: AbortSignal): CallService {
  return async (method, payload) => {
    const call = { id: randomUUID(), method, payload: JSON.stringify(payload), members: signedMembers };
    const request = { headers: {}, body: envelopeText(call, access) };
    const sent = {
      url: url.href,
      ...signedMessage(request, url.href, access),
      timeoutSeconds,
      isNotification: false,
      addressOption: "--from",
    };
    const outcome = await exchange({ ...sent, ...omitUndefined({ signal }) });
    if (outcome.kind === "result") return JSON.parse(outcome.text);
    if (outcome.kind !== "error") throw new Error("reason" in outcome ? outcome.reason : "no answer");
    const { code, message } = outcome;
    if (passing.has(code)) throw new Error(`${method}: ${code}: ${message}`);
    throw new ServiceFault(method, code, message);
  };
}
