import { omitUndefined } from "../contract/index.ts";
import type { DecodedCall, InvalidCall, Protocol, Refused, ServedMethod } from "../protocol/port.ts";
import type { AnswerCall, Calling, OpenPeer, TracedStage } from "./answer-call.ts";
import { startDeadline, type Deadline, type FailedOutcome, type Outcome } from "./outcome.ts";
import type { CallFacts } from "./options.ts";

/** The answer to one message. */
export interface Answer {
  /** Absent where there is nothing to answer: notifications only. */
  readonly text: string | undefined;
  /** HTTP status that the interface gives it. */
  readonly httpStatus: number;
  /** `WWW-Authenticate`, one line each; `Retry-After` and `RateLimit-*`, in seconds. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The code of a message that was refused as a whole, and the word that narrows it: no call was found in it. */
  readonly refused?: { readonly code: string; readonly reason?: string };
}

export interface AnswerMessageParts<Method extends ServedMethod, Call extends DecodedCall> {
  readonly protocol: Protocol<Method, Call>;
  readonly timeoutMs: number;
  /** Bytes of answers that unfinished batches hold, over all peers. */
  readonly batchAnswersBytes: number;
  readonly answerCall: AnswerCall<Call>;
  readonly outcomes: { refused(refused: Refused): FailedOutcome };
  readonly stage: TracedStage;
}

export type AnswerMessage = (bytes: Buffer, from: OpenPeer) => Promise<Answer>;

/**
 * bytes → decode → answer each call → encode. The calls of a batch are carried out one after the other, and give way to
 * the rest of the process.
 */
// oxlint-disable-next-line max-lines-per-function -- the answers to one message share what is known of its caller
export function createAnswerMessage<Method extends ServedMethod, Call extends DecodedCall>(
  parts: AnswerMessageParts<Method, Call>,
): AnswerMessage {
  const { protocol, timeoutMs, outcomes, answerCall, stage } = parts;
  const { notifiedStatus, printBatch } = protocol;
  /** Bytes of the answers that batches have gathered and not yet given. A character counts as a byte: most are. */
  let gatheredBytes = 0;
  const giveWay = createGiveWay();
  const decode = stage("decode", protocol.decode);
  const print = stage("encode", (outcome: Outcome, id: string) => outcome.print(id));

  async function answerBatch(
    calls: readonly (Call | InvalidCall)[],
    from: OpenPeer,
    deadline: Deadline,
  ): Promise<Answer> {
    const responses: string[] = [];
    let ownBytes = 0;
    try {
      for (const [position, call] of calls.entries()) {
        const inBatch = { position, hasRoom: gatheredBytes < parts.batchAnswersBytes };
        const outcome = await outcomeOf(call, from, deadline, { headers: {} }, inBatch);
        if (call.id !== undefined) {
          const response = print(outcome, call.id);
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
    const text = printBatch?.(responses);
    return { text, httpStatus: text === undefined ? notifiedStatus : 200, headers: {} };
  }

  async function answerSingle(call: Call | InvalidCall, from: OpenPeer, deadline: Deadline): Promise<Answer> {
    const facts: CallFacts = { headers: {} };
    const outcome = await outcomeOf(call, from, deadline, facts);
    if (call.id === undefined) return { text: undefined, httpStatus: notifiedStatus, headers: {} };
    return answerOf(call.id, outcome, facts);
  }

  /** Takes its parts one by one: each call passes here. */
  function outcomeOf(
    call: Call | InvalidCall,
    from: OpenPeer,
    deadline: Deadline,
    facts: CallFacts,
    inBatch?: NonNullable<Calling<Call>["inBatch"]>,
  ): Outcome | Promise<Outcome> {
    if (isInvalid(call)) return outcomes.refused(call.refused);
    return answerCall(
      inBatch === undefined ? { call, from, deadline, facts } : { call, from, deadline, facts, inBatch },
    );
  }

  function answerOf(id: string, outcome: Outcome, { headers }: CallFacts): Answer {
    const text = print(outcome, id);
    if (outcome.kind === "result") return { text, httpStatus: 200, headers };
    const { challenges, retryAfterS, httpStatus } = outcome;
    const own = omitUndefined({
      "WWW-Authenticate": challenges.length === 0 ? undefined : [...challenges],
      "Retry-After": retryAfterS === undefined ? undefined : String(retryAfterS),
    });
    return { text, httpStatus, headers: { ...headers, ...own } };
  }

  function answerRefused({ id, refused }: { readonly id: string; readonly refused: Refused }): Answer {
    const outcome = outcomes.refused(refused);
    const { code, reason } = outcome;
    return { ...answerOf(id, outcome, { headers: {} }), refused: omitUndefined({ code, reason }) };
  }

  return async (bytes, from) => {
    const message = decode(bytes, from.peer.evidence.target);
    if (message.kind === "refused") return answerRefused(message);
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

function isInvalid(call: DecodedCall | InvalidCall): call is InvalidCall {
  return call.kind === "invalid";
}

/** Lets the rest of the process have its turn while batches are at work. */
export type GiveWay = () => Promise<void> | undefined;

/** So long batches are worked on in one turn of the event loop. */
const turnMs = 5;
/** So many of those that wait go on in the next one. */
const resumedPerTurn = 16;

/** Asked after each call of a batch. Nothing while there is time left in this turn. */
export function createGiveWay(): GiveWay {
  const waiting = new Set<() => void>();
  let isTurn = false;
  let sinceMs = 0;

  function begin(): void {
    isTurn = true;
    sinceMs = performance.now();
    setImmediate(next);
  }

  function next(): void {
    isTurn = false;
    if (waiting.size > 0) begin();
    let left = resumedPerTurn;
    for (const resume of waiting) {
      if (left === 0) return;
      left -= 1;
      waiting.delete(resume);
      resume();
    }
  }

  return () => {
    if (!isTurn) begin();
    if (performance.now() - sinceMs < turnMs) return undefined;
    return new Promise((resolve) => waiting.add(resolve));
  };
}
