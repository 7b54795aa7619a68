import type { Identity } from "../access.ts";
import { basic, type WireRequest } from "./build.ts";

/**
 * A request as a command to paste. Credentials are not in it: it takes them from `$CREDENTIAL` and `$API_KEY`, so that a
 * report can be shown around.
 */
export function curlOf(baseUrl: string, wire: WireRequest, identity: Identity): string {
  const url = `${baseUrl.replace(/\/$/, "")}${wire.path}`;
  const hide = (text: string): string => hidden(text, identity);
  const headers = Object.entries(wire.headers).map(
    ([name, value]) => `-H ${hide(quoted(`${name}: ${value}`))}`,
  );
  const method = wire.httpMethod === "POST" ? [] : [`-X ${wire.httpMethod}`];
  const isText = Buffer.from(wire.body.toString("utf8")).equals(wire.body) && !wire.body.includes(0);
  const body = isText ? [`--data-binary ${hide(quoted(wire.body.toString("utf8")))}`] : ["--data-binary @-"];
  const parts = [`curl -s ${quoted(url)}`, ...method, ...headers, ...(wire.body.length === 0 ? [] : body)];
  const command = parts.join(" \\\n  ");
  return isText ? command : `printf %s ${wire.body.toString("base64")} | base64 -d | ${command}`;
}

/** Puts shell variables in place of what must not be shown. */
function hidden(text: string, identity: Identity): string {
  return text.replaceAll(basic(identity), `'"$CREDENTIAL"'`).replaceAll(identity.apiKey, `'"$API_KEY"'`);
}

/** A word for the shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** How the variables of `curlOf` are set from an access file. */
export function curlPreparation(accessFile: string): string {
  const file = quoted(accessFile);
  const read = (expression: string): string =>
    `$(node -p "const a = JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8')); ${expression}" ${file})`;
  return [
    `export API_KEY="${read("a.apiKey")}"`,
    `export CREDENTIAL="Basic ${read("Buffer.from(a.userName + ':' + a.apiKey).toString('base64')")}"`,
  ].join("\n");
}
