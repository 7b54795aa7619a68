import { omitUndefined, type JsonRpcInterfaceDescriptor } from "../contract/index.ts";
import {
  createDecode,
  nullId,
  printBatch,
  type DecodedCall,
  type InvalidCall,
  type MessageLimits,
} from "../protocol/json-rpc/index.ts";
import type { AnswerCall, Calling } from "./answer-call.ts";
import { startDeadline, type Deadline } from "./deadline.ts";
import { createGiveWay } from "./give-way.ts";
import { printOutcome, type Outcome, type Outcomes } from "./outcome.ts";
import type { OpenPeer } from "./peer.ts";
import { hasExactNumbers } from "./validate.ts";
import { callError } from "./call-error.ts";

/** The answer to one message. */
export interface Answer {
  /** Absent where there is nothing to answer: notifications only. */
  readonly text: string | undefined;
  /** HTTP status that the interface gives it. */
  readonly httpStatus: number;
  /** Values of `WWW-Authenticate`, one header line each. */
  readonly challenges: readonly string[];
  /** Value of `Retry-After`, in seconds. */
  readonly retryAfterS?: number;
}

export interface AnswerMessageParts {
  readonly descriptor: JsonRpcInterfaceDescriptor;
  readonly limits: MessageLimits;
  readonly timeoutMs: number;
  /** Bytes of answers that unfinished batches hold, over all peers. */
  readonly batchAnswersBytes: number;
  readonly answerCall: AnswerCall;
  readonly outcomes: Outcomes;
}

export type AnswerMessage = (bytes: Buffer, from: OpenPeer) => Promise<Answer>;

/**
 * bytes → decode → answer each call → encode. The calls of a batch are carried out one after the other, and give way to
 * the rest of the process.
 */
// oxlint-disable-next-line max-lines-per-function -- the answers to one message share what is known of its caller
export function createAnswerMessage(parts: AnswerMessageParts): AnswerMessage {
  const { descriptor, limits, timeoutMs, outcomes, answerCall } = parts;
  const { batch, http } = descriptor;
  /** Of the answers that batches have gathered and not yet given. A character counts as a byte: most are. */
  let gatheredBytes = 0;
  const giveWay = createGiveWay();

  async function answerBatch(
    calls: readonly (DecodedCall | InvalidCall)[],
    from: OpenPeer,
    deadline: Deadline,
  ): Promise<Answer> {
    const responses: string[] = [];
    let ownBytes = 0;
    try {
      for (const [position, call] of calls.entries()) {
        const hasRoom = gatheredBytes < parts.batchAnswersBytes;
        const outcome = await outcomeOf(call, from, deadline, { position, hasRoom });
        if (call.id !== undefined) {
          const response = printOutcome(call.id, outcome);
          ownBytes += response.length;
          gatheredBytes += response.length;
          responses.push(response);
        }
        const turn = giveWay();
        if (turn !== undefined) await turn;
      }
    } finally {
      gatheredBytes -= ownBytes;
    }
    const text = printBatch(responses);
    return { text, httpStatus: text === undefined ? http.notified : 200, challenges: [] };
  }

  async function answerSingle(
    call: DecodedCall | InvalidCall,
    from: OpenPeer,
    deadline: Deadline,
  ): Promise<Answer> {
    const outcome = await outcomeOf(call, from, deadline);
    if (call.id === undefined) return { text: undefined, httpStatus: http.notified, challenges: [] };
    return answerOf(call.id, outcome);
  }

  async function outcomeOf(
    call: DecodedCall | InvalidCall,
    from: OpenPeer,
    deadline: Deadline,
    inBatch?: Calling["inBatch"],
  ): Promise<Outcome> {
    if (call.kind === "invalid")
      return outcomes.refused(callError("invalidRequest", { reason: call.reason }));
    return answerCall(omitUndefined({ call, from, deadline, inBatch }));
  }

  function answerOf(id: string, outcome: Outcome): Answer {
    const text = printOutcome(id, outcome);
    if (outcome.kind === "result") return { text, httpStatus: 200, challenges: [] };
    const httpStatus = http.status === "mapped" ? outcome.error.httpStatus : 200;
    const { challenges, retryAfterS } = outcome;
    return omitUndefined({ text, httpStatus, challenges, retryAfterS });
  }

  const decode = createDecode({ limits, batch, hasExactNumbers: hasExactNumbers(descriptor) });

  return async (bytes, from) => {
    const message = decode(bytes);
    if (message.kind === "refused")
      return answerOf(nullId, outcomes.refused(callError(message.fault, message.data)));
    const deadline = startDeadline(timeoutMs);
    from.deadlines.add(deadline);
    try {
      return message.kind === "batch"
        ? await answerBatch(message.calls, from, deadline)
        : await answerSingle(message.call, from, deadline);
    } finally {
      deadline.end();
      from.deadlines.delete(deadline);
    }
  };
}
