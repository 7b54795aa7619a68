import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";

/** The one-time password of the last mail that a service wrote to its data folder. */
export async function mailedOtp(dataDir: string): Promise<string> {
  const folder = join(dataDir, "mail");
  return await vi.waitFor(() => {
    const mails = readdirSync(folder).filter((name) => name.endsWith(".eml"));
    const mail = readFileSync(join(folder, mails.toSorted().at(-1) ?? ""), "utf8");
    const [, body = ""] = mail.split(/\r?\n\r?\n/, 2);
    const [otp] = /\b\d{6}\b/.exec(body) ?? [];
    if (otp === undefined) throw new Error("no password was mailed");
    return otp;
  });
}
