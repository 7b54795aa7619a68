import type { Evidence } from "../../runtime/auth/port.ts";

/** The request that the suite sends, and what schemes add to it. */
export interface SentRequest {
  readonly body: string;
  readonly httpMethod: string;
  readonly target: string;
  readonly peerAddress?: string;
  /** In the order sent; a name may come twice. */
  readonly headers: readonly (readonly [string, string])[];
}

export const plainRequest: SentRequest = {
  body: '{"jsonrpc":"2.0","method":"add","params":{"amount":"12.50"},"id":1}',
  httpMethod: "POST",
  target: "/rpc?tenant=7",
  peerAddress: "10.1.2.3",
  headers: [
    ["content-type", "application/json"],
    ["host", "api.example"],
  ],
};

export function evidenceOf({ body, httpMethod, target, peerAddress, headers }: SentRequest): Evidence {
  return {
    body: Buffer.from(body),
    httpMethod,
    target,
    header: (name) => headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value),
    ...(peerAddress === undefined ? {} : { peerAddress }),
  };
}

export function withHeaders(request: SentRequest, added: Readonly<Record<string, string>>): SentRequest {
  return { ...request, headers: [...request.headers, ...Object.entries(added)] };
}
