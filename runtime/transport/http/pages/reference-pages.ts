import { existsSync } from "node:fs";
import type { Express } from "express";
import { loadExpress } from "./load-express.ts";

/** The policy that the pages also state themselves: nothing but their own files. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/** Serves a folder of reference pages under `/docs`; one that is not there is not served. */
export function addReferencePages(app: Express, folder: string): void {
  if (!existsSync(folder)) return;
  // The file of that name, which the pages bring, removes what this shows: elsewhere there is no service to call.
  app.get("/docs/assets/try.js", (_request, response) => {
    response
      .type("text/javascript")
      .send("for (const link of document.querySelectorAll('[data-try]')) link.hidden = false;\n");
  });
  app.use(
    "/docs",
    loadExpress().static(folder, {
      setHeaders: (response) => {
        response.setHeader("Content-Security-Policy", policy);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-cache");
      },
    }),
  );
}
