export { escapeConsole, terminalText } from "../log/terminal-text.ts";
export { confirmed } from "./confirm.ts";
export { run, runProgram, type DemoData, type Program } from "./program.ts";
export { placeOf } from "./service.ts";
export { unreadable, UsageError } from "./startup-error.ts";
export { exampleAfterError, withExamples } from "./with-examples.ts";
