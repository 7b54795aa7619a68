import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server that all files of the project share, without a database. */
    readonly postgresUrl: string;
  }
}

/** One server for all files of the project `postgres`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url(""));
  return () => server.close();
}
