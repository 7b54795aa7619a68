import express from "express";
import { rpcHandler, serve, serviceOf } from "../runtime/index.ts";
import { problems } from "../runtime/protocol/problem/index.ts";
import { notesInterface } from "./generated/methods.ts";
import { notesHandlers } from "./handlers/index.ts";

const service = serviceOf(problems(notesInterface), { ...notesHandlers }, {});
const { url, close } = await serve(express().use(notesInterface.path, rpcHandler(service)), { port: 0 });
for (const body of process.argv.slice(2)) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(url + notesInterface.path, { method: "POST", headers, body });
  console.log(answer.status, await answer.text());
}
await close(0);
