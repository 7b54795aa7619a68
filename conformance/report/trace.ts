import type { Identity } from "../request/access.ts";
import type { WireRequest } from "../request/build.ts";
import { curlOf } from "../request/curl.ts";
import { NoAnswer, type WireAnswer } from "../request/transport.ts";
import { isJsonObject } from "../values/index.ts";
import type { Suite } from "../suite/suite.ts";

/** Gives one exchange as `--trace` prints it. Credentials are not in it, nor what the spec calls sensitive. */
export function tracer({
  suite,
  baseUrl,
  identity,
}: {
  readonly suite: Suite;
  readonly baseUrl: string;
  readonly identity: Identity;
}): (request: WireRequest, answer: WireAnswer | NoAnswer) => string {
  const names = ["apiKey", ...sensitiveNames(suite)].map((name) => name.replaceAll(/\W/g, String.raw`\$&`));
  const members = new RegExp(
    String.raw`("(?:${names.join("|")})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*)`,
    "gi",
  );
  const hidden = (text: string): string =>
    text.replaceAll(members, '$1"…"').replaceAll(/(Basic )[A-Za-z0-9+/=]+/g, "$1…");
  return (request, answer) => {
    const sent = hidden(curlOf(baseUrl, request, identity))
      .split("\n")
      .map((line) => `> ${line}`);
    if (answer instanceof NoAnswer) return [...sent, `< ${answer.message}`, ""].join("\n");
    const headers = Object.entries(answer.headers).map(([name, value]) => `< ${name}: ${String(value)}`);
    return [
      ...sent,
      `< HTTP ${answer.status} (${answer.ms.toFixed(1)} ms)`,
      ...headers,
      `< ${hidden(answer.body.toString("utf8"))}`,
      "",
    ].join("\n");
  };
}

/** Names of the fields that are never shown, wherever they stand. */
function sensitiveNames(part: unknown): readonly string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item);
    else if (isJsonObject(value)) {
      const own = new Map<string, unknown>(Object.entries(value));
      const name = own.get("name");
      if (own.get("sensitive") === true && typeof name === "string") found.add(name);
      for (const inner of own.values()) look(inner);
    }
  };
  look(part);
  return [...found];
}
