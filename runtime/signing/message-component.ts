/** Components of a request that a message signature may cover. */
export interface SignedMessage {
  readonly body: Buffer;
  /** `POST`. */
  readonly httpMethod: string;
  /** Path and query as received. */
  readonly target: string;
  /** Scheme and authority under which the caller reached the service: `https://ledger.example`. */
  readonly origin: string;
  /** A header by its lower-case name, a repeated header's values joined by `, `. */
  header(name: string): string | undefined;
}

/** The value of a component (RFC 9421 §2.1, §2.2), without parameters; nothing if the message lacks it. */
export function componentValue(message: SignedMessage, name: string): string | undefined {
  if (!name.startsWith("@")) return name === name.toLowerCase() ? message.header(name)?.trim() : undefined;
  const { httpMethod, target, origin } = message;
  const queryAt = target.indexOf("?");
  switch (name) {
    case "@method":
      return httpMethod;
    case "@request-target":
      return target;
    case "@target-uri":
      return `${origin}${target}`;
    case "@scheme":
      return origin.slice(0, origin.indexOf(":"));
    case "@authority":
      return origin.slice(origin.indexOf("//") + 2).toLowerCase();
    case "@path":
      return queryAt < 0 ? target : target.slice(0, queryAt);
    case "@query":
      return queryAt < 0 ? "?" : target.slice(queryAt);
    default:
      return undefined;
  }
}
