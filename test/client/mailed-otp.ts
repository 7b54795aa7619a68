import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until.ts";

const read = new Set<string>();

/** The one-time password of the next mail that a service writes to its data folder. */
export async function mailedOtp(dataDir: string): Promise<string> {
  const folder = join(dataDir, "mail");
  let otp: string | undefined;
  await until(() => {
    const mails = (existsSync(folder) ? readdirSync(folder) : []).map((name) => join(folder, name));
    const file = mails.find((path) => path.endsWith(".eml") && !read.has(path));
    if (file !== undefined) {
      read.add(file);
      const [, body = ""] = readFileSync(file, "utf8").split(/\r?\n\r?\n/, 2);
      [otp] = /\b\d{6}\b/.exec(body) ?? [];
    }
    return otp !== undefined;
  });
  return otp ?? "";
}
