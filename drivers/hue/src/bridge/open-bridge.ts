/** A paired bridge over HTTPS: its event stream, and requests beside it. */

import { parseRawJson } from "@porchlight/driver-kit";
import { BridgeBusy, isBusy, KeyRefused, type OpenBridge, SoftwareTooOld } from "./bridge-failures.ts";
import { HttpsClient, type HttpsClientDeps } from "./https-client.ts";

export interface PairedBridge extends HttpsClientDeps {
  /** Key that the bridge issued at pairing. */
  readonly key: string;
}

export function openByHttps({ key, ...deps }: PairedBridge): OpenBridge {
  const headers = { "hue-application-key": key };
  return async (take, signal) => {
    const client = new HttpsClient(deps);
    const closed = Promise.withResolvers<string>();
    const end = () => client[Symbol.dispose]();
    try {
      signal.throwIfAborted();
      signal.addEventListener("abort", end, { once: true });
      const stream = await client.stream("/eventstream/clip/v2", headers);
      if (stream.statusCode === 403 || stream.statusCode === 401) throw new KeyRefused();
      if (isBusy(stream.statusCode ?? 0)) throw new BridgeBusy(stream.statusCode ?? 0);
      if (stream.statusCode === 404) throw new SoftwareTooOld();
      if (stream.statusCode !== 200) throw new Error(`The bridge answers ${stream.statusCode}.`);
      const text = new StreamText(take);
      stream.on("data", (bytes: Buffer) => text.feed(bytes));
      stream.on("error", (failure) => closed.resolve(failure.message));
      stream.on("close", () => closed.resolve("The bridge has closed its event stream."));
    } catch (failure) {
      signal.removeEventListener("abort", end);
      end();
      throw failure;
    }
    return {
      request: (method, path, body) => client.json(method, `/clip/v2/resource${path}`, headers, body),
      closed: closed.promise,
      [Symbol.asyncDispose]: async () => {
        signal.removeEventListener("abort", end);
        end();
        await closed.promise;
      },
    };
  };
}

/** Longest message, characters; that of a scene with all lamps of a home has about 20,000. */
const LONGEST = 256 * 1024;

export class StreamText {
  readonly #take: (message: unknown) => void;
  readonly #decoder = new TextDecoder();
  #line = "";
  #data: string[] = [];
  #length = 0;
  #isTooLong = false;

  /**
   * Parses server-sent events with JSON data, from chunks of any size.
   * @param take called with each parsed message; undefined for one that is not JSON or too long
   */
  constructor(take: (message: unknown) => void) {
    this.#take = take;
  }

  feed(bytes: Uint8Array): void {
    const lines = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#end(`${this.#line}${line}`.replace(/\r$/, ""));
      this.#line = "";
    }
    if (this.#line.length + last.length <= LONGEST) this.#line += last;
    else this.#isTooLong = true;
  }

  #end(line: string): void {
    if (line === "") this.#dispatch();
    else if (line.startsWith("data:")) {
      const data = line.slice(5).trimStart();
      this.#length += data.length;
      if (this.#length <= LONGEST) this.#data.push(data);
      else this.#isTooLong = true;
    }
  }

  #dispatch(): void {
    const [data, isTooLong] = [this.#data.join("\n"), this.#isTooLong];
    this.#data = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (isTooLong) this.#take(undefined);
    else if (data !== "") this.#take(parsed(data));
  }
}

function parsed(text: string): unknown {
  try {
    return parseRawJson(text);
  } catch {
    return undefined;
  }
}
