import { IncomingMessage, Server, ServerResponse, type OutgoingHttpHeaders } from "node:http";
import type { Fault } from "./fault.ts";

/** Makes every HTTP server of this process show the fault: in what it reads of a request, in what it writes as headers. */
export function changeHttp({ request: changeHead, headers: changeHeaders }: Fault): void {
  if (changeHead === undefined && changeHeaders === undefined) return;
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
    const [request, response] = args;
    if (event === "request" && request instanceof IncomingMessage && response instanceof ServerResponse) {
      if (changeHead !== undefined) {
        const { target, headers } = changeHead({ target: request.url ?? "", headers: request.headers });
        request.url = target;
        request.headers = { ...headers };
      }
      if (changeHeaders !== undefined) changeHeadersOf(response, changeHeaders);
    }
    return Reflect.apply(emit, this, [event, ...args]);
  };
}

function changeHeadersOf(response: ServerResponse, change: NonNullable<Fault["headers"]>): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const own = rest.find((part): part is OutgoingHttpHeaders => typeof part === "object" && part !== null);
    const headers: OutgoingHttpHeaders = { ...response.getHeaders() };
    for (const [name, value] of Object.entries(own ?? {})) headers[name.toLowerCase()] = value;
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    return writeHead(status, change(headers, status));
  };
}
