/** A process of its own: loads the validators of a folder, those of `payloads` or all (`*`). Prints milliseconds of CPU. */
import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder = ".", kind = "*"] = process.argv.slice(2);
const files = globSync(`${folder}/${kind}.js`);
const urls = files.map((file) => pathToFileURL(file).href);
const before = process.cpuUsage();
await Promise.all(urls.map((url) => import(url)));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify((user + system) / 1000));
