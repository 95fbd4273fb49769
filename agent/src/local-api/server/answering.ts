/** Writes answers and problems as HTTP: the one place at home that touches a response. */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { NamedError } from "@porchlight/shared/kernel";
import { problemBody, problemHeaders, turnByTurn } from "@porchlight/shared/rest";
import type { HomeAnswer } from "./home-call.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Settles when it is written, or its reader is gone. */
export async function send(response: ServerResponse, answer: HomeAnswer): Promise<void> {
  const { status, headers, body, slices, stream } = answer;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (slices) {
    response.setHeader("content-type", JSON_TYPE);
    // To HEAD Node writes no byte of a body, but the slices would be made.
    if (response.req.method === "HEAD") response.end();
    else await pipeline(Readable.from(turnByTurn(slices), { objectMode: false }), response).catch(() => undefined);
    return;
  }
  if (stream) return follow(response, stream);
  if (body !== undefined) response.setHeader("content-type", response.getHeader("content-type") ?? JSON_TYPE);
  end(response, body === undefined ? "" : JSON.stringify(body));
}

/** To HEAD the stream is as if it had ended; else what is said of it goes out at once, however little it is. */
async function follow(response: ServerResponse, stream: Readable): Promise<void> {
  if (response.req.method === "HEAD") {
    stream.destroy();
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(stream, response).catch(() => undefined);
}

/** @param publicUrl address under which errors are explained */
export function sendProblem(response: ServerResponse, error: NamedError, requestId: string, publicUrl: string): void {
  response.statusCode = error.status;
  for (const [name, value] of Object.entries(problemHeaders(error))) response.setHeader(name, value);
  end(response, JSON.stringify(problemBody(error, requestId, publicUrl)));
}

function end(response: ServerResponse, text: string): void {
  if (response.statusCode !== 304 && response.statusCode !== 204)
    response.setHeader("content-length", Buffer.byteLength(text));
  response.end(text);
}
