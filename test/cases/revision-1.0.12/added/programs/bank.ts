import { strictEqual } from "node:assert";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

const dataDir = process.argv[2] ?? "";

interface Identity {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKeyPem: string;
}

/** What the service gave its first caller and its operator. */
export const access: Identity & {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly operator: Identity;
  readonly samples: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(dataDir, "access.json"), "utf8"));

export function sample(name: string): string {
  const value = access.samples[name];
  if (value === undefined) throw new Error(`no sample ${name}`);
  return value;
}

/** What a client is made with. */
export function optionsOf({ userName, apiKey, keyId, privateKeyPem }: Identity, baseUrl: string) {
  return { baseUrl, credential: { userName, apiKey }, signer: { keyId, privateKey: privateKeyPem } };
}

/** Options of a client that is older than the header: its requests do not say which revision they are of. */
export function withoutRevision<O extends object>(options: O) {
  const fetchPlainly = (url: string, { headers, ...init }: RequestInit): Promise<Response> => {
    const plain = new Headers(headers);
    plain.delete("X-Interface-Revision");
    return fetch(url, { ...init, headers: plain });
  };
  return { ...options, fetch: fetchPlainly };
}

/** The mails that wait in the service's folder. */
export function mails(): readonly string[] {
  const folder = join(dataDir, "mail");
  return (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith(".eml")).toSorted();
}

/** The one-time password of a mail that was not there before. */
export async function passwordMailedAfter(before: readonly string[]): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    for (const name of mails().filter((each) => !before.includes(each))) {
      const found = /one-time password is (\d{6})\./.exec(readFileSync(join(dataDir, "mail", name), "utf8"));
      if (found?.[1] !== undefined) return found[1];
    }
    await setTimeout(50);
  }
  throw new Error("no one-time password was mailed");
}

/** An address that notifications are posted to. */
export async function startReceiver() {
  const received: { readonly eventName: string; readonly payload: { readonly status?: string } }[] = [];
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)));
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    async until(count: number) {
      for (let tries = 0; received.length < count && tries < 200; tries += 1) await setTimeout(50);
      strictEqual(received.length, count);
      return received;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The code that a call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  const thrown: unknown = await call.then(
    () => ({ code: "none" }),
    (error: unknown) => error,
  );
  return typeof thrown === "object" && thrown !== null && "code" in thrown
    ? String(thrown.code)
    : String(thrown);
}
