/** The build that is JavaScript alone: no process, no thread, nothing but this file. Its types are the package's. */
declare module "recheck/lib/browser.js" {
  export * as default from "recheck";
}
