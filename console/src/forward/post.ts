/**
 * A POST to a server nearby, by Node's own client: `fetch` fails at a `100 Continue` that it has not asked for, while the service skips interim
 * responses (RFC 9110, 15.2), so that a receiver would fail here and not there.
 */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns the status; a redirect is not followed @throws what keeps it from an answer, or the signal's reason */
export function postNearby(url: string, { headers, body }: Message, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const length = { "content-length": Buffer.byteLength(body) };
    // A server nearby may be restarted between two events: a connection that it has closed would fail the next one.
    const sent = request(url, { method: "POST", agent: false, headers: { ...headers, ...length }, signal });
    sent.once("response", (answer) => {
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.once("close", () => reject(new Error("the connection ended without an answer")));
    sent.end(body);
  });
}
