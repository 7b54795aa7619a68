import type { IncomingMessage, ServerResponse } from "node:http";
import type { Express, NextFunction, Request, Response } from "express";
import type { Fault } from "../../../contract/index.ts";
import { loadExpress } from "./load-express.ts";
import type { HttpOptions } from "../options.ts";

/** Answers a fault of the transport. */
export type Refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  status: number,
  reason: string,
) => void;

/** Answers a request whose page failed. */
export type RefusePage = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

/** The pages that were added to a port, and 404 for all other paths. */
export function createPages({ addRoutes }: HttpOptions, refuse: Refuse, refusePage: RefusePage): Express {
  const app = loadExpress()();
  app.disable("x-powered-by").disable("etag").enable("strict routing").enable("case sensitive routing");
  addRoutes?.(app);
  app.use((request: Request, response: Response) => refuse(request, response, "badInput", 404, "path"));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refusePage(error, request, response),
  );
  return app;
}
