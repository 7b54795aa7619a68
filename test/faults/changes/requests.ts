import type { Pipeline } from "../../../runtime/pipeline/index.ts";
import type { Fault } from "../fault.ts";

type Wrap = NonNullable<Fault["pipeline"]>;
export type Members = Readonly<Record<string, unknown>>;

/** The body of each request is changed before it is read. */
export function withBytes(change: (body: Buffer) => Buffer): Wrap {
  return (pipeline: Pipeline) => ({
    ...pipeline,
    answer: (request) => pipeline.answer({ ...request, body: change(request.body) }),
  });
}

/** The text of each request is changed before it is read; unchanged ones stay byte by byte, also what is no UTF-8. */
export function withText(change: (text: string) => string): Wrap {
  return withBytes((body) => {
    const text = body.toString();
    const changed = change(text);
    return changed === text ? body : Buffer.from(changed);
  });
}

/** The JSON of each request is changed before it is read; texts that are no JSON, and unchanged ones, stay byte by byte. */
export function withJson(change: (json: unknown) => unknown): Wrap {
  return withText((text) => {
    const json = parsed(text);
    const changed = json === undefined ? undefined : change(json);
    return changed === json ? text : JSON.stringify(changed);
  });
}

/** The members of each request that is an object are changed. */
export function withMembers(change: (members: Members) => Members): Wrap {
  return withJson((json) =>
    typeof json === "object" && json !== null && !Array.isArray(json) ? change(Object(json)) : json,
  );
}

/** The members of `params` are changed. */
export function withParams(change: (params: Members) => Members): Wrap {
  return withMembers((members) => {
    const { params } = members;
    if (typeof params !== "object" || params === null) return members;
    const changed = change(Object(params));
    return changed === params ? members : { ...members, params: changed };
  });
}

/** The members of `params.api` are changed. */
export function withApi(change: (api: Members, members: Members) => Members): Wrap {
  return withMembers((members) => {
    const params: unknown = members["params"];
    const { api } = Object(params);
    if (typeof api !== "object" || api === null) return members;
    const changed = change(Object(api), members);
    return changed === api ? members : { ...members, params: { ...Object(params), api: changed } };
  });
}

/** The signature of each enveloped call is changed. */
export function withSignature(change: (signature: string) => string): Wrap {
  return withApi((api) => {
    const { signature } = api;
    if (typeof signature !== "string") return api;
    const changed = change(signature);
    return changed === signature ? api : { ...api, signature: changed };
  });
}

/** Every value of each request is changed, innermost first. */
export function withValues(change: (value: unknown) => unknown): Wrap {
  return withJson((json) => {
    let isChanged = false;
    // Not by way of JSON text, which has no infinite numbers.
    const changedIn = (value: unknown): unknown => {
      const inside = Array.isArray(value)
        ? value.map(changedIn)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changedIn(member)]))
          : value;
      const changed = change(inside);
      isChanged ||= changed !== inside;
      return changed;
    };
    const copy = changedIn(json);
    return isChanged ? copy : json;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
