import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Admission, Session } from "../../service/index.ts";
import type { CheckedOptions } from "./options.ts";

/** Why a handshake is refused. */
export interface HandshakeError {
  readonly status: number;
  readonly reason: string;
  readonly challenges?: readonly string[];
}

/** Checks what a browser says of the page that connects. Other clients send no `Origin`. */
export function checkOrigin(
  { headers }: IncomingMessage,
  { origins }: Pick<CheckedOptions, "origins">,
): HandshakeError | undefined {
  const { origin, host } = headers;
  if (origin === undefined || origins === "any") return undefined;
  const isAllowed = origins === undefined ? hostOf(origin) === host : origins.includes(origin);
  return isAllowed ? undefined : { status: 403, reason: "origin" };
}

/** Asks the service whether the credentials of a handshake are worth a connection. */
export async function checkCredentials(session: Session): Promise<HandshakeError | undefined> {
  const admission: Admission = await session.admit();
  switch (admission.kind) {
    case "admitted":
      return undefined;
    case "unavailable":
      return { status: 503, reason: "unavailable" };
    case "unauthenticated":
      return { status: 401, reason: "unauthenticated", challenges: admission.challenges };
    default:
      return admission satisfies never;
  }
}

/** Refuses a handshake with an answer of HTTP. */
export function rejectHandshake(socket: Duplex, { status, reason, challenges = [] }: HandshakeError): void {
  const body = JSON.stringify({ reason });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...challenges.map((challenge) => `WWW-Authenticate: ${challenge}`),
  ];
  socket.once("finish", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
