import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const manifest: { version: string } = JSON.parse(
  readFileSync(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8"),
);

export interface UnpackedBrowser {
  readonly executablePath: string;
  /** Names the fonts that come with the browser, and no others: pages look the same on every machine. */
  readonly fontsFile: string;
}

/**
 * The browser of @sparticuz/chromium, unpacked once for all processes. Its own `executablePath()` gives a second caller a
 * browser that the first is still writing (ETXTBSY), and fonts only where the temporary folder is /tmp. Here a process
 * of its own unpacks into a folder of its own, which gets its name when it is whole.
 */
export async function unpackBrowser(parent = join(root, ".cache")): Promise<UnpackedBrowser> {
  const folder = join(parent, `chromium-${manifest.version}`);
  const browser = { executablePath: join(folder, "chromium"), fontsFile: join(folder, "fonts.conf") };
  if (existsSync(folder)) return browser;
  mkdirSync(parent, { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  const program = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: root,
    env: { ...process.env, TMPDIR: partial },
  });
  writeFileSync(
    join(partial, "fonts.conf"),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
  );
  try {
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
  return browser;
}
