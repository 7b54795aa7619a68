import type { FieldShape, ResolvedShape, Shape } from "../suite/shape.ts";

/** How values are read and, where the caller knows better ones, made. */
export interface SampleReading {
  readonly direction: "request" | "response";
  /** A shape with references followed to their end. */
  resolve(shape: Shape): ResolvedShape;
  /** A value for a field at a JSON Pointer; undefined where any that fits will do. */
  given?(field: FieldShape, at: string): unknown;
}
