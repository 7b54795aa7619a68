import { join } from "node:path";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Config } from "../operations/config/index.ts";
import { keySetMaxAgeSeconds, type EventDelivery } from "../events/index.ts";
import {
  addFilePage,
  addKeySetRoute,
  addReferencePages,
  addWebPages,
  serveHttp,
  createWorkLimiter,
  type HttpService,
  type Metrics,
} from "../operations/http/index.ts";
import type { Pipeline } from "../pipeline/index.ts";
import type { Store } from "../store/ports/index.ts";
import type { Application, AnyRow } from "./application.ts";

/** State shared by the ports of a composed service. */
export interface PortsOptions {
  readonly application: Application;
  readonly config: Config;
  readonly interfaces: readonly AnyRow[];
  /** By the name of the interface. */
  readonly pipelines: ReadonlyMap<string, Pipeline>;
  readonly store: Store;
  readonly logger: Logger;
}

/** One port for each interface that is not beside another, by its name; closes all, and the delivery, where one cannot be had. */
export async function openPorts(
  { application, config, interfaces, pipelines, store, logger }: PortsOptions,
  metrics: Metrics,
  events: EventDelivery,
): Promise<ReadonlyMap<string, HttpService>> {
  const { limits, metricsPublic, referencePages, consolePages, consoleReport } = config;
  const { root } = application;
  const work = createWorkLimiter(limits);
  const shared = { logger, metrics, work, limits, ready: () => store.ping() };
  const addRoutes = (row: AnyRow, guests: readonly AnyRow[]) => (app: Express) => {
    const { name } = row.descriptor;
    const { generated = `generated/${name}` } = row;
    if (row.isPublic) addKeySetRoute(app, () => events.keys.keySet(), keySetMaxAgeSeconds);
    if (referencePages) {
      addWebPages(app, { ...tryPages(name, generated), root });
      addReferencePages(app, join(root, generated, "reference"));
    }
    if (consolePages && row.console !== undefined)
      addFilePage(app, { path: `${row.console.path}/report.html`, file: consoleReport });
    const pages = [row, ...guests].flatMap((each) => (consolePages ? (each.console ?? []) : []));
    for (const each of pages) addWebPages(app, { root, ...each });
    // Operators begin with their console, others with what there is to read.
    const front = (consolePages && row.console?.path) || (referencePages ? "/docs" : pages[0]?.path);
    // Relative: a proxy may have the port below a path.
    if (front !== undefined)
      app.get("/", (_request, response) => response.redirect(302, `${front.slice(1)}/`));
  };
  const opened = new Map<string, HttpService>();
  try {
    for (const row of interfaces.filter(({ beside }) => beside === undefined)) {
      const { name } = row.descriptor;
      const guests = interfaces.filter(({ beside }) => beside?.name === name);
      const others = guests.flatMap(({ descriptor }) => pipelines.get(descriptor.name) ?? []);
      const [pipeline, endpoint] = [pipelines.get(name), config.endpoints.get(name)];
      if (pipeline === undefined || endpoint === undefined)
        throw new Error(`the ${name} interface has no settings ${name}.host and ${name}.port`);
      const pages = {
        addRoutes: addRoutes(row, guests),
        showMetrics: row.isPublic !== true || metricsPublic,
      };
      opened.set(name, await serveHttp({ ...shared, ...endpoint, ...pages, pipeline, others }));
    }
    if (
      !metricsPublic &&
      interfaces.every(({ isPublic, beside }) => isPublic === true || beside !== undefined)
    )
      logger.info("no port serves /metrics: metrics.public: on serves it beside the public interface");
  } catch (error) {
    await Promise.all([...opened.values()].map((service) => service.close(0)));
    await events.close(0);
    throw error;
  }
  return opened;
}

/** Pages that call an interface: beside its reference. */
function tryPages(name: string, generated: string) {
  return {
    path: `/docs/try/${name}`,
    index: "web/try/index.html",
    // The reference shows it within each operation.
    isFramed: true as const,
    files: [
      "web/try/",
      "web/shared/",
      `${generated}/client/`,
      `${generated}/validators/`,
      `${generated}/json-schema.json`,
      `${generated}/openrpc.json`,
    ],
  };
}
