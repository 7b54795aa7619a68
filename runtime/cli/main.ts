import { enableCompileCache } from "node:module";

enableCompileCache();
const { run } = await import("./program.ts");
await run(process.argv);
