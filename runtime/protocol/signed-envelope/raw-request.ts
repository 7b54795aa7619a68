/** A request as the transport hands it over: complete, within the body limit, nothing interpreted. */
export interface RawRequest {
  readonly body: Buffer;
  /** Names the request in logs, in the `X-Request-Id` header and in answers of the `internal` fault. */
  readonly requestId: string;
  /** `POST`. */
  readonly httpMethod: string;
  /** Path and query as received: `/jsonrpc`. */
  readonly target: string;
  /** The value of a header by its lower-case name; a repeated header's values are joined by `, `. */
  header(name: string): string | undefined;
  /** Address of the other end of the connection. */
  readonly peerAddress?: string;
  /** Told of what to call where the caller leaves before it has the answer. Absent: nobody knows. */
  readonly whenLeft?: (leave: () => void) => void;
  /**
   * Asked once the caller is known: waits while this user has too many calls at work. Gives false where that takes too
   * long. Absent: every call is admitted.
   */
  readonly admit?: (userName: string) => boolean | Promise<boolean>;
}
