import type { Identity } from "../access.ts";
import type { WireRequest } from "../request/build.ts";
import { curlOf } from "../request/curl.ts";
import { NoAnswer, type WireAnswer } from "../request/transport.ts";

/** One exchange as `--trace` prints it. Credentials are not in it. */
export function traceText(
  baseUrl: string,
  request: WireRequest,
  answer: WireAnswer | NoAnswer,
  identity: Identity,
): string {
  const sent = curlOf(baseUrl, request, identity)
    .replaceAll(/(Basic |"apiKey":")[A-Za-z0-9+/=]+/g, "$1…")
    .split("\n")
    .map((line) => `> ${line}`);
  if (answer instanceof NoAnswer) return [...sent, `< ${answer.message}`, ""].join("\n");
  const headers = Object.entries(answer.headers).map(([name, value]) => `< ${name}: ${String(value)}`);
  return [
    ...sent,
    `< HTTP ${answer.status} (${answer.ms.toFixed(1)} ms)`,
    ...headers,
    `< ${answer.body.toString("utf8")}`,
    "",
  ].join("\n");
}
