/** `porchlight-cloud health`: asks the service on this machine whether it is ready. For containers, which have no other program. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { z } from "zod";
import type { CloudSettings } from "../config/index.ts";
import { CommandRefused } from "./command.ts";

/** The longest answer of `/readyz`, with a margin, ms. */
const ANSWER_MS = 4000;
const LONGEST_ANSWER = 16 * 1024;
/** Addresses that mean all of a machine's. */
const ANY = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

const ready = z.object({ status: z.literal("ready"), warning: z.string().optional() });
const problem = z.object({ title: z.string(), detail: z.string().optional() });

/** Prints that the service is ready, with its warnings. @throws CommandRefused with the reason why it is not ready */
export async function askHealth(
  settings: Pick<CloudSettings, "host" | "port" | "tlsCert">,
  print: (line: string) => void,
): Promise<void> {
  if (settings.port === 0)
    throw new CommandRefused("With port 0 the service listens on any free port. Give its current port with --port.");
  const { status, body } = await ask(settings);
  const { data } = ready.safeParse(body);
  if (status === 200 && data) return print(data.warning === undefined ? "ready" : `ready, but: ${data.warning}`);
  const { data: reported } = problem.safeParse(body);
  throw new CommandRefused(
    `The service is not ready: ${reported?.detail ?? reported?.title ?? `it answered ${status}`}`,
  );
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function ask({ host, port, tlsCert }: Pick<CloudSettings, "host" | "port" | "tlsCert">): Promise<Answer> {
  const options = { host: ANY.get(host) ?? host, port, path: "/readyz", agent: false, timeout: ANSWER_MS };
  return new Promise((resolve, reject) => {
    const failed = (failure: Error) => reject(new CommandRefused(`The service does not answer: ${failure.message}`));
    const answered = (message: IncomingMessage) => read(message).then(resolve, failed);
    const request =
      tlsCert === undefined
        ? httpRequest(options, answered)
        : // The certificate is for the service's public name.
          httpsRequest({ ...options, rejectUnauthorized: false }, answered);
    request.once("timeout", () => request.destroy(new Error(`nothing came for ${ANSWER_MS / 1000} s`)));
    request.once("error", failed);
    request.end();
  });
}

async function read(message: IncomingMessage): Promise<Answer> {
  let text = "";
  message.setEncoding("utf8");
  for await (const chunk of message) {
    text += chunk;
    if (text.length > LONGEST_ANSWER) throw new Error("its answer has no end");
  }
  return { status: message.statusCode ?? 0, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
