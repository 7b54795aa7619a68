import type { IncomingMessage, ServerResponse } from "node:http";
import type { MethodModel } from "../../generator/model/service-model.ts";
import type { AnswerOptions } from "./answers.ts";

/** The options that all kinds of mocks share. */
export interface ServedMock extends AnswerOptions {
  /** Errors that calls of a method are answered with, by the name of the method. */
  readonly errors: ReadonlyMap<string, string>;
  readonly onCall: (method: string, answer: string) => void;
  /** Follows on each call of a signed interface that has a result. */
  readonly onResult: (method: MethodModel, result: unknown) => void;
}

/** Answers a request to the path of the interface. */
export type MockHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
