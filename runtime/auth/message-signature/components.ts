import type { Evidence } from "../port.ts";

/** The value of a component without parameters (RFC 9421, sections 2.1 and 2.2); nothing if the message lacks it. */
export function componentValue(
  evidence: Evidence,
  name: string,
  origin: string | undefined,
): string | undefined {
  if (!name.startsWith("@")) {
    const values = evidence.header(name);
    return values.length === 0 || name !== name.toLowerCase()
      ? undefined
      : values.map((value) => value.trim()).join(", ");
  }
  const { httpMethod, target } = evidence;
  const queryAt = target.indexOf("?");
  switch (name) {
    case "@method":
      return httpMethod;
    case "@request-target":
      return target;
    case "@path":
      return queryAt < 0 ? target : target.slice(0, queryAt);
    case "@query":
      return queryAt < 0 ? "?" : target.slice(queryAt);
    case "@target-uri":
      return origin === undefined ? undefined : `${origin}${target}`;
    case "@scheme":
      return origin?.slice(0, origin.indexOf(":"));
    case "@authority":
      return authority(evidence, origin);
    default:
      return undefined;
  }
}

function authority(evidence: Evidence, origin: string | undefined): string | undefined {
  if (origin !== undefined) return origin.slice(origin.indexOf("//") + 2).toLowerCase();
  const [host, ...others] = evidence.header("host");
  return others.length === 0 ? host?.toLowerCase() : undefined;
}
