import { createRequire } from "node:module";
import type express from "express";

/**
 * Express, with the 130 modules that it is made of: loaded with the first page, because calls, health and metrics are
 * answered without it.
 */
export function loadExpress(): typeof express {
  return createRequire(import.meta.url)("express");
}
