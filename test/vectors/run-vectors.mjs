// Judges vectors in a process that cannot compile text to code:
//   node --disallow-code-generation-from-strings run-vectors.mjs <folder of validators> < vectors.json
// Prints one line for each wrong verdict.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { json } from "node:stream/consumers";

if (!refusesCompilation()) console.log("this process can compile text to code, so it proves nothing");
const [folder = ""] = process.argv.slice(2);
for (const { validator, tests } of await json(process.stdin)) {
  const [module, name] = validator.split("/");
  const { [name]: validate } = await import(pathToFileURL(join(folder, `${module}.js`)).href);
  for (const { description, data, valid } of tests) {
    if (validate(data) !== valid) console.log(`${validator}: ${description}`);
  }
}

function refusesCompilation() {
  try {
    return !Function("return true")();
  } catch {
    return true;
  }
}
