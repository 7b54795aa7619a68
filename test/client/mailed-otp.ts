import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";

const read = new Set<string>();

/** The one-time password of the next mail that a service writes to its data folder. */
export async function mailedOtp(dataDir: string): Promise<string> {
  const folder = join(dataDir, "mail");
  return await vi.waitFor(() => {
    const mails = readdirSync(folder).map((name) => join(folder, name));
    const file = mails.find((path) => path.endsWith(".eml") && !read.has(path)) ?? "";
    const mail = readFileSync(file, "utf8");
    const [, body = ""] = mail.split(/\r?\n\r?\n/, 2);
    const [otp] = /\b\d{6}\b/.exec(body) ?? [];
    if (otp === undefined) throw new Error("no password was mailed");
    read.add(file);
    return otp;
  });
}
