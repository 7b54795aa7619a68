import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import jayson from "jayson";
import { JSONRPCErrorException, JSONRPCServer } from "json-rpc-2.0";
import { expect, test } from "vitest";
import { conform } from "./patient.ts";
import { describedBy } from "./standard/describe.ts";
import { accessTo, started } from "./standard/service.ts";

const counting = describedBy(`
interface:
  name: tasks
  title: Counting
  wire: { protocol: json-rpc-2.0, params: either, http: { notified: 204 } }
methods:
  subtract:
    effect: read
    payload: { fields: [{ name: minuend, type: number }, { name: subtrahend, type: number }] }
    result: number
    examples: [{ name: of section 4, payload: { minuend: 42, subtrahend: 23 }, result: 19 }]
  ping: { effect: read, result: none }
`);

/** Parameters by name, judged: the libraries leave that to methods. Undefined where they are wrong. */
function named(method: string, params: unknown): object | undefined {
  const { parameters = [], validate } = counting.descriptor.methods[method] ?? {};
  const byName: unknown = Array.isArray(params)
    ? Object.fromEntries(params.map((value, index) => [parameters[index]?.name ?? "surplus", value]))
    : (params ?? {});
  if (typeof byName !== "object" || byName === null || validate?.(byName) !== true) return undefined;
  return Object.keys(byName).every((name) => parameters.some((each) => each.name === name))
    ? byName
    : undefined;
}

function subtracted(payload: object): number {
  return Number(Reflect.get(payload, "minuend")) - Number(Reflect.get(payload, "subtrahend"));
}

function jaysonServer(): RequestListener {
  const invalid = { code: -32602, message: "Invalid params" };
  const method =
    (name: string, body: (payload: object) => unknown) =>
    (params: unknown, callback: (error: object | null, result?: unknown) => void): void => {
      const payload = named(name, params);
      if (payload === undefined) callback(invalid);
      else callback(null, body(payload));
    };
  const server = new jayson.Server({
    subtract: method("subtract", subtracted),
    ping: method("ping", () => null),
  });
  return (request, response) => {
    server.http().emit("request", request, response);
  };
}

function secondServer(): RequestListener {
  const server = new JSONRPCServer({ errorListener: () => undefined });
  const method = (name: string, body: (payload: object) => unknown): void =>
    server.addMethod(name, (params: unknown) => {
      const payload = named(name, params);
      if (payload === undefined) throw new JSONRPCErrorException("Invalid params", -32602);
      return body(payload);
    });
  method("subtract", subtracted);
  method("ping", () => null);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answered = await server.receiveJSON(await text(request));
    if (answered === null) response.writeHead(204).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answered));
  };
  return (request, response) => void answer(request, response);
}

/** Cases that fail, of those that rest on the standard and the spec alone. */
async function blamed(listener: RequestListener): Promise<readonly string[]> {
  const { baseUrl, close } = await started(listener);
  try {
    const access = accessTo(baseUrl);
    const options = { level: "document", seed: 1 } as const;
    const { outcomes } = await conform({ ...counting.suite, ...options, access, baseUrl });
    return outcomes
      .filter(({ status }) => status === "failed" || status === "broken")
      .map(({ id }) => id.replace("subtract/(endpoint)/", ""));
  } finally {
    close();
  }
}

test("jayson is blamed for what it does against the standard, and for nothing else", async () => {
  expect(await blamed(jaysonServer())).toEqual([
    // It takes the id null for none, though null is an id (section 4).
    "id/null",
    // Its HTTP server answers broken JSON with a text (section 5.1: -32700).
    ...["broken", "unfinished", "empty", "blanks", "single-quotes", "comment", "nan", "leading-zero"].map(
      (name) => `json/${name}`,
    ),
    // A string is JSON, and no request object: it is answered as a parse error.
    "message/string",
    "batch/broken",
    // A list in a batch is not answered.
    "batch/values",
    "batch/id-null",
  ]);
});

test("json-rpc-2.0 is blamed for what it does against the standard, and for nothing else", async () => {
  expect(await blamed(secondServer())).toEqual([
    // null is JSON, and no request object: it is answered as a parse error.
    "message/null",
    // An example of section 7 is taken for a notification.
    "message/method-is-number",
    // The method has to be a string (section 4): it is looked up all the same.
    "envelope/method-number",
    "envelope/method-null",
    // The id has to be a string, a number or null (section 4): any value is sent back.
    "envelope/id-true",
    "envelope/id-object",
    "envelope/id-list",
    // A batch of one call is answered with an object, not with a list (section 6).
    "batch/one-value",
    "batch/one",
  ]);
});
