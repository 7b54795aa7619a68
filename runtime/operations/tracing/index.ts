import type { Tracing, TracingOptions } from "./tracing.ts";

export { tracedStore } from "./tracing.ts";
export type { Tracing } from "./tracing.ts";

/** Loads OpenTelemetry and starts it. @throws Error that says what to install, where its packages are missing. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  try {
    const { startOpenTelemetry } = await import("./opentelemetry.ts");
    return startOpenTelemetry(options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Error(
      "tracing.exporter is otlp, and the packages of OpenTelemetry are not installed: install with optional " +
        "dependencies (npm ci --omit=dev under Node 24), or set OTEL_TRACES_EXPORTER=none",
      { cause: error },
    );
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
