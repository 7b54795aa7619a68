export { run, runProgram, type DemoData, type Program } from "./program.ts";
