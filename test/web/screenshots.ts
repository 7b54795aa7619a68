import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect } from "vitest";

const approvedFolder = join(import.meta.dirname, "approved");
const actualFolder = join(import.meta.dirname, "../../.cache/screenshots");
/** As a share of a picture's pixels: a letter of a heading, or the frame of a field. */
const differingShareMax = 0.0005;

/** How a page is looked at: half as many pixels as on a screen are enough to see what changed. */
export const looks = {
  light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
} as const;

/** Compares what a page shows with the approved picture; `UPDATE_EXPECTED=1` approves what it shows. */
export async function expectApproved(page: Page, name: string): Promise<void> {
  await page.evaluate(sameEverywhere);
  const actual = await page.screenshot({ animations: "disabled", caret: "hide" });
  const file = join(approvedFolder, `${name}.png`);
  if (process.env["UPDATE_EXPECTED"] === "1") return writeFileSync(file, actual);
  const [seen, approved] = [PNG.sync.read(actual), PNG.sync.read(readFileSync(file))];
  const { width, height } = approved;
  expect([seen.width, seen.height], `the size of ${name}`).toEqual([width, height]);
  const difference = differenceOf(approved, seen);
  const differing = pixelsIn(difference);
  if (differing <= differingShareMax * width * height) return;
  mkdirSync(actualFolder, { recursive: true });
  writeFileSync(join(actualFolder, `${name}.png`), actual);
  writeFileSync(join(actualFolder, `${name}.difference.png`), PNG.sync.write(difference));
  const share = ((100 * differing) / (width * height)).toFixed(2);
  throw new Error(
    `${name} looks different: ${share} % of its pixels. Look at .cache/screenshots/${name}.png and ` +
      `${name}.difference.png beside test/web/approved/${name}.png; to approve: UPDATE_EXPECTED=1 npx vitest run ` +
      "--project nightly test/web/screenshots.nightly.test.ts",
  );
}

const nearby = [
  [0, 0],
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
] as const;

/**
 * The pixels that differ from the approved ones. A line may be a pixel away: lines at half a pixel are drawn
 * differently from run to run.
 */
function differenceOf(approved: PNG, seen: PNG): PNG {
  const { width, height } = approved;
  const all = nearby.map(([right, down]) => {
    const from = new PNG({ width, height });
    const [left, top] = [Math.max(0, -right), Math.max(0, -down)];
    const [wide, high] = [width - Math.abs(right), height - Math.abs(down)];
    PNG.bitblt(seen, from, 0, 0, width, height, 0, 0);
    PNG.bitblt(approved, from, left, top, wide, high, Math.max(0, right), Math.max(0, down));
    const mask = new PNG({ width, height });
    pixelmatch(from.data, seen.data, mask.data, width, height, { diffMask: true });
    return mask;
  });
  const [first = new PNG({ width, height }), ...others] = all;
  for (let at = 3; at < first.data.length; at += 4)
    if (others.some(({ data }) => data[at] === 0)) first.data[at] = 0;
  return first;
}

function pixelsIn({ data }: PNG): number {
  let count = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) count += 1;
  return count;
}

/**
 * Runs in the page. Times, identifiers, ports and numbers that differ from run to run get texts of equal width. Rows
 * ordered by identifiers of one millisecond are sorted by text; charts change at even times.
 */
const sameEverywhere = `(() => {
  const patterns = [
    [/\\b[0-9A-HJKMNP-TV-Z]{26}\\b/g, "01JD0000000000000000000000"],
    [/\\b\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d)?(\\.\\d+)?Z?/g, "2026-01-02 03:04"],
    [/\\b[A-Z][a-z]{2} \\d{1,2}, \\d{4}/g, "Jan 2, 2026"],
    [/\\b\\d{1,2}:\\d\\d:\\d\\d\\s[AP]M/g, "3:04:05 PM"],
    [/\\b\\d{1,2}\\/\\d{1,2}\\/\\d{2,4}\\b/g, "1/2/26"],
    [/\\b\\d{15}\\b/g, "123456789012345"],
    [/127\\.0\\.0\\.1:\\d+/g, "127.0.0.1:8080"],
  ];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const [pattern, text] of patterns) node.data = node.data.replace(pattern, text);
  for (const body of document.querySelectorAll("tbody"))
    body.append(...[...body.children].sort((one, other) => (one.textContent < other.textContent ? -1 : 1)));
  for (const line of document.querySelectorAll(".chart .line")) {
    let x = 0;
    line.setAttribute("d", line.getAttribute("d").replaceAll(/H[\\d.]+/g, () => "H" + (x += 200)));
  }
  document.activeElement?.blur();
})()`;
