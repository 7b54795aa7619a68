import { framedModel } from "../json-rpc/model.ts";

/** `{"cmd":"add","args":{…},"ref":7}` is answered by `{"ref":7,"ok":…}` or `{"ref":7,"fail":{"code":…,"message":…}}`. */
export const model = framedModel("cmd", {
  id: "ref",
  method: "cmd",
  params: "args",
  result: "ok",
  error: "fail",
});
