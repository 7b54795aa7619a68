import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiKeys } from "./bank.ts";
import { parseTranscript, printTranscript, type Exchange } from "./exchange.ts";
import { requestBytes } from "./request-bytes.ts";
import { startService, type TestService } from "./service.ts";
import { exchangeBytes } from "./wire.ts";

/** `UPDATE_TRANSCRIPTS=1` writes what the service answers into the files: read the difference before you keep it. */
const isUpdating = process.env["UPDATE_TRANSCRIPTS"] !== undefined;

/** What no log line may hold: credentials, one-time passwords, keys, payloads. */
const secrets = [...Object.values(apiKeys), "123456", "BEGIN PUBLIC KEY", "MEUC", "MEQC", "rep-1", "account-9"];

describe.each(globSync("*.http", { cwd: import.meta.dirname }).toSorted())("%s", (fileName) => {
  const file = join(import.meta.dirname, fileName);
  const transcript = parseTranscript(readFileSync(file, "utf8"));
  const answered: Exchange[] = [];
  let service: TestService | undefined;

  beforeAll(async () => {
    service = await startService(transcript.variant);
  });
  afterAll(async () => {
    await service?.close();
    const logged = service?.logged() ?? "";
    for (const secret of secrets) expect(logged).not.toContain(secret);
    if (isUpdating) writeFileSync(file, printTranscript({ ...transcript, exchanges: answered }));
  });

  test.each(transcript.exchanges)("$title", async (exchange) => {
    if (service === undefined) throw new Error("the service did not start");
    const response = await exchangeBytes(service.port, requestBytes(exchange.request));
    answered.push({ ...exchange, response });
    if (!isUpdating) expect(response).toBe(exchange.response);
  });
});
