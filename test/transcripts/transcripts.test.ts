import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { ledgerRevisions } from "../../ledger/handlers/ledger/index.ts";
import { apiKeys } from "./bank.ts";
import { parseTranscript, printTranscript, type Exchange } from "./exchange.ts";
import { requestBytes } from "./request-bytes.ts";
import { startService } from "./service.ts";
import { exchangeBytes } from "./wire.ts";

/** `UPDATE_TRANSCRIPTS=1` writes what the service answers into the files: read the difference before you keep it. */
const isUpdating = process.env["UPDATE_TRANSCRIPTS"] !== undefined;

/** The revision whose callers wrote the transcripts: one that also serves it answers them as it did. */
const recorded = "1.0.11";
const isServed = ledgerRevisions.some(({ interfaceDescriptor }) => interfaceDescriptor.revision === recorded);
const asked = isServed ? `$&\nX-Interface-Revision: ${recorded}` : "$&";

/** The transcripts are about no revision: the header has whichever is answered in. */
const answeredIn = [ledgerInterface.revision, recorded].map(RegExp.escape).join("|");
const revisionLine = new RegExp(`^(X-Interface-Revision: )(?:${answeredIn})$`, "m");

/** A later revision that does not serve it may word errors otherwise: then each text is one of those that it declares. */
const isReworded = ledgerInterface.revision !== recorded && !isServed;
const said = /"code":"(\w+)","message":"((?:[^"\\]|\\.)*)"/;

function isDeclared(code: string, text: string): boolean {
  const declared = [ledgerInterface, ...Object.values(ledgerInterface.methods)].map(
    ({ errors }) => Object.entries(errors).find(([name]) => name === code)?.[1].message,
  );
  return declared.some((each) => {
    const [before = "", after] = each?.split("{field}") ?? [];
    return after === undefined ? text === each : text.startsWith(before) && text.endsWith(after);
  });
}

/** An answer without the texts of its errors, and with the length that it would have without them. */
function withoutTexts(response: string): string {
  const [head = "", body = ""] = response.split(/\n\n(.*)/s);
  const [, code = "", text = ""] = said.exec(body) ?? [];
  if (!isReworded || code === "") return response;
  const length = Number(/^Content-Length: (\d+)$/m.exec(head)?.[1]) - Buffer.byteLength(text);
  const shortened = head.replace(/^(Content-Length: )\d+$/m, `$1${length}`);
  return `${shortened}\n\n${body.replace(said, '"code":"$1","message":"{{text}}"')}`;
}

/** What no log line may hold: credentials, one-time passwords, keys, payloads. */
const secrets = [...Object.values(apiKeys), "123456", "BEGIN PUBLIC KEY", "MEUC", "MEQC", "rep-1", "account-9"];

function comparable(exchange: Exchange): Exchange {
  return { ...exchange, response: withoutTexts(exchange.response) };
}

/** The requests of a file go to one service, one after the other: some are about those before them. */
test.each(globSync("*.http", { cwd: import.meta.dirname }).toSorted())("%s", async (fileName) => {
  const file = join(import.meta.dirname, fileName);
  const transcript = parseTranscript(readFileSync(file, "utf8"));
  const answered: Exchange[] = [];
  const service = await startService(transcript.variant);
  try {
    for (const exchange of transcript.exchanges) {
      const request = exchange.request.replace(/^Host: .*$/m, asked);
      const response = await exchangeBytes(service.port, requestBytes(request));
      const [, code = "", text = ""] = said.exec(response) ?? [];
      if (isReworded && code !== "" && !isDeclared(code, text))
        throw new Error(`${exchange.title}: ${code} does not say "${text}"`);
      answered.push({ ...exchange, response: response.replace(revisionLine, "$1{{revision}}") });
    }
  } finally {
    await service.close();
  }
  // Any digits may stand in a time.
  const logged = service.logged().replaceAll(/"(?:time|pid)":\d+/g, "");
  for (const secret of secrets) expect(logged).not.toContain(secret);
  if (isUpdating) writeFileSync(file, printTranscript({ ...transcript, exchanges: answered }));
  else expect(answered.map(comparable)).toEqual(transcript.exchanges.map(comparable));
});
