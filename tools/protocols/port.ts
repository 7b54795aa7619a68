import type { Access, Samples } from "../../conformance/request/access.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import type { RpcService } from "../../runtime/index.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MethodModel } from "../../generator/model/service-model.ts";
import type { AnswerOptions } from "../mock/answers.ts";

/** How the tools make, sign and answer calls of a protocol. */
export interface ProtocolTools {
  /** Reads who calls: the file that `ledger-rpc conform --access` takes. @throws Error with every mistake in it */
  readAccess(model: ServiceModel, file: string): Access;
  /** The same file, new: one caller with new keys, who knows these objects. */
  newAccess(model: ServiceModel, samples: Samples): object;
  /** Makes the request of a call, by the authentication of the spec. @throws Error for what the access file does not have */
  request(call: UnsignedCall, access: Access): SignedRequest;
  /** The code of the error for a caller who proves no identity, where that may be forgotten. */
  unauthenticated?(model: ServiceModel): string;
}

/** How a protocol is mocked. Apart from the others, because mocks load the runtime. */
export interface MockKind {
  /** The errors that a caller may ask for. */
  errorNames(model: ServiceModel): readonly string[];
  /** Without `access` every caller is let in. */
  mock(access: Access | undefined, served: ServedMock): ProtocolMock;
}

export interface ProtocolMock {
  readonly handle: MockHandler;
  /** What answers over WebSocket and standard input, too; absent where calls come over HTTP alone. */
  readonly service?: RpcService;
}

/** A request that proves who calls. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A call before it is signed. */
export interface UnsignedCall {
  readonly model: ServiceModel;
  readonly method: string;
  readonly params: string | undefined;
  readonly isNotification: boolean;
  readonly url: string;
}

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
