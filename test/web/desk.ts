import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Frame } from "../../conformance/base/frame.ts";
import { readMockAccess, newMockAccess, createMock } from "../../tools/mock/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { siteFiles } from "../../tools/site/index.ts";
import { tryPages } from "../../tools/site/try-pages.ts";
import { started } from "../conformance/standard/service.ts";

type Credentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The mock of `desk.yaml`, a standard interface with every authentication scheme, and its pages. */
export interface Desk {
  readonly baseUrl: string;
  /** Credentials for every scheme. */
  readonly accessFile: string;
  readonly credentials: Credentials;
  urlOf(method: string): string;
  close(): void;
}

function deskModel(frame?: Frame): ServiceModel {
  const text = readFileSync(join(import.meta.dirname, "desk.yaml"), "utf8");
  const { value, diagnostics } = loadServiceModel("spec", () => [{ path: "desk.yaml", text }]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return frame === undefined ? value : { ...value, wire: { ...value.wire, frame } };
}

/** Starts the desk in this process; with a frame, it speaks a dialect. */
export async function startDesk(frame?: Frame): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), "desk-"));
  const accessFile = join(folder, "access.json");
  const model = deskModel(frame);
  const access: { credentials: Credentials } = JSON.parse(JSON.stringify(newMockAccess(model)));
  const { credentials } = access;
  const own = { headers: { "X-Desk": "clerk-7" } };
  writeFileSync(accessFile, JSON.stringify({ ...access, credentials: { ...credentials, own } }));
  const mock = createMock(model, {
    access: readMockAccess(model, accessFile),
    errors: new Map(),
    faults: new Map(),
    latencyMs: { least: 0, most: 0 },
    seed: 1,
    pages: () => siteFiles(model, { tried: tryPages }),
  });
  const service = await started((request, response) => void mock.emit("request", request, response));
  return {
    baseUrl: service.baseUrl,
    accessFile,
    credentials,
    urlOf: (method) => `${service.baseUrl}/docs/try/desk/#${encodeURIComponent(method)}`,
    close() {
      service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** By the methods of the desk that a page can call, what a program needs from the environment and from key files. */
const secrets: Readonly<Record<string, (own: Credentials) => object>> = {
  open: () => ({}),
  staff: ({ person }) => ({ PASSWORD: person?.["password"] }),
  session: ({ session }) => ({ TOKEN: session?.["token"] }),
  keyed: ({ machine }) => ({ API_KEY: machine?.["key"] }),
  "token es256": ({ es256 }) => ({ pem: es256?.["privateKeyPem"] }),
  "token hs256": ({ hs256 }) => ({ SIGNING_SECRET: hs256?.["secret"] }),
  "token rs256": ({ rs256 }) => ({ pem: rs256?.["privateKeyPem"] }),
  "token eddsa": ({ eddsa }) => ({ pem: eddsa?.["privateKeyPem"] }),
  "token ps384": ({ ps384 }) => ({ pem: ps384?.["privateKeyPem"] }),
  shared: ({ shared }) => ({ SIGNING_SECRET: shared?.["secret"] }),
  "sealed ed25519": ({ ed25519 }) => ({ pem: ed25519?.["privateKeyPem"] }),
  "sealed p256": ({ p256 }) => ({ pem: p256?.["privateKeyPem"] }),
  "sealed p384": ({ p384 }) => ({ pem: p384?.["privateKeyPem"] }),
  "sealed rsa": ({ rsa }) => ({ pem: rsa?.["privateKeyPem"] }),
  "sealed hmac": ({ mac }) => ({ SIGNING_SECRET: mac?.["secret"] }),
  both: ({ machine, shared }) => ({ API_KEY: machine?.["key"], SIGNING_SECRET: shared?.["secret"] }),
};

/** The methods of the desk that a page can call, one for each scheme. */
export const deskMethods: readonly string[] = Object.keys(secrets);

/** Opens the page of a method, and says who calls with the access file. */
export async function signInAtDesk(page: Page, desk: Desk, method: string): Promise<void> {
  await page.goto(desk.urlOf(method));
  await page.getByLabel("Access file").setInputFiles(desk.accessFile);
  await expect.poll(() => page.getByLabel("User name").inputValue()).toBe("mock");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { level: 1, name: method, exact: true }).waitFor();
}

/** A program that the page shows, of the title. */
export async function shownText(page: Page, title: string): Promise<string> {
  return (await page.locator("details", { hasText: title }).locator("pre").textContent()) ?? "";
}

/** Runs the shell program that the page shows for a method: it is answered, and no program holds a secret. */
export async function expectShellCalls(page: Page, { credentials }: Desk, method: string): Promise<void> {
  const { pem, ...env }: { pem?: string } & Record<string, string> = JSON.parse(
    JSON.stringify(secrets[method]?.(credentials)),
  );
  const folder = mkdtempSync(join(tmpdir(), "desk-shell-"));
  for (const file of pem === undefined ? [] : ["issuer.pem", "private-key.pem"])
    writeFileSync(join(folder, file), pem ?? "");
  const program = await shownText(page, "curl");
  // The mock answers in this process.
  const options = { cwd: folder, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)("sh", ["-c", program], options);
  rmSync(folder, { recursive: true });
  expect(JSON.parse(stdout), method).toMatchObject({
    jsonrpc: "2.0",
    result: { done: expect.any(Boolean) },
  });
  const texts = await page.locator("details pre").allTextContents();
  for (const secret of Object.values(env).filter((text) => text !== ""))
    expect(texts.slice(1).join("\n"), "programs hold no secret").not.toContain(secret);
}
