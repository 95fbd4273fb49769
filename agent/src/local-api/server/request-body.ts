/** Reads the body of a request: at most so many bytes, and as JSON (A1.0.3, A1.4). */
import type { IncomingMessage } from "node:http";
import { NamedError } from "@porchlight/shared/kernel";
import { bodyObject, parseBody, wrongType } from "@porchlight/shared/rest";

/** Largest body, bytes. */
const BODY_LIMIT = 256 * 1024;

/** @param optional no body is an empty one @throws "Body Too Large", "Body Parameters Missing", "Body Parameters Invalid" */
export async function readJsonBody(request: IncomingMessage, optional: boolean): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return bodyObject(undefined, optional);
  const type = request.headers["content-type"];
  if (type?.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") throw wrongType(type);
  return bodyObject(parseBody(bytes));
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new NamedError("Body Too Large");
  if (Number(request.headers["content-length"] ?? 0) > BODY_LIMIT) return Promise.reject(tooLarge);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_LIMIT) reject(tooLarge);
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    // The caller is gone: an answer would not be read.
    request.once("close", () => reject(new NamedError("Body Parameters Missing", "The body is incomplete.")));
  });
}
