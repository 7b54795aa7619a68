import type { GetDeliveryHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a delivery with its last 100 attempts and the payload of its event. */
export const getDelivery: GetDeliveryHandler<Contexts> = admin.getDelivery;
