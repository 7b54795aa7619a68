import type { JsonValue, MethodDescriptor } from "../contract/index.ts";
import {
  AuthFault,
  type AuthCall,
  type Authenticated,
  type AuthScheme,
  type Envelope,
  type RawRequest,
} from "../ports/index.ts";
import type { CallContext } from "./call-context.ts";
import { foldName } from "./decode/index.ts";
import { PipelineFault, type FaultFactory } from "./fault.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** A call whose caller is known. */
export interface AuthenticatedCall extends Authenticated {
  readonly method: MethodDescriptor;
  readonly envelope: Envelope;
}

/** A method, and what it and its payload are called in the current revision. */
export interface AuthTarget {
  readonly method: MethodDescriptor;
  readonly currentMethod: string;
  /** The name that a field of the current revision's payload has in this one's. */
  fieldName(currentName: string): string;
}

export interface AuthenticateOptions {
  readonly scheme: AuthScheme;
  /** The code of each member of `params.api` (D-06). */
  readonly missingAuth: Readonly<Record<string, string>>;
  readonly fault: FaultFactory;
  /** Counts the requests of each credential (D-45). */
  readonly limit: RateLimiter | undefined;
}

/** Envelope → AuthenticatedCall: asks the interface's scheme, and counts the request once the caller is known. */
export async function authenticate(
  target: AuthTarget,
  envelope: Envelope,
  request: RawRequest,
  context: CallContext,
  { scheme, missingAuth, fault, limit }: AuthenticateOptions,
): Promise<AuthenticatedCall> {
  const { method, currentMethod } = target;
  const call: AuthCall = {
    method,
    currentMethod,
    envelope,
    request,
    payloadField: (currentName) => memberOf(envelope, target.fieldName(currentName)),
  };
  const observer = {
    identified(userName: string): void {
      context.userName = userName;
      if (limit === undefined) return;
      const { allowed, headers } = limit(userName);
      context.headers = headers;
      if (!allowed) throw fault("rateLimited");
    },
    keyFound(keyId: string): void {
      context.keyId = keyId;
    },
  };
  try {
    return { method, envelope, ...(await scheme.authenticate(call, observer)) };
  } catch (error) {
    throw error instanceof AuthFault ? faultOf(error) : error;
  }

  function faultOf({ detail }: AuthFault): PipelineFault {
    if ("member" in detail) {
      return new PipelineFault(missingAuth[detail.member] ?? fault("unauthorized").code, {
        reason: detail.reason,
      });
    }
    const { reason, retryAfterSeconds } = detail;
    if (retryAfterSeconds !== undefined) {
      context.headers = { ...context.headers, "Retry-After": String(retryAfterSeconds) };
    }
    return fault(detail.fault, reason === undefined ? {} : { reason });
  }
}

/** A member of the payload, whatever the case of its name (D-11). */
function memberOf({ payload }: Envelope, name: string): JsonValue | undefined {
  const folded = foldName(name);
  const spelled = Object.keys(payload).find((key) => foldName(key) === folded);
  return spelled === undefined ? undefined : payload[spelled];
}
