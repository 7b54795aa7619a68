export { notificationText } from "./notification.ts";
export { jsonRpc } from "./protocol.ts";
