import type { IncomingMessage } from "node:http";
import { omitUndefined } from "../../contract/index.ts";
import type { Evidence } from "../../auth/port.ts";

/** Express keeps what it has cut off from `url`. */
export interface MountedRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/** The evidence that authentication schemes read in a request or a handshake. */
export function evidenceOf(request: MountedRequest, body: Buffer): Evidence {
  const { remoteAddress } = request.socket;
  return {
    body,
    header: (name) => request.headersDistinct[name] ?? [],
    httpMethod: request.method ?? "",
    target: request.originalUrl ?? request.url ?? "",
    ...omitUndefined({ peerAddress: remoteAddress }),
  };
}
