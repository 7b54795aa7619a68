export { notificationText, jsonRpc } from "./protocol.ts";
