/** A paired bridge, over HTTPS: its event stream, and requests beside it. */
import type { OpenBridge } from "../bridge/bridge-api.ts";
import { BridgeBusy, isBusy, KeyRefused, SoftwareTooOld } from "../bridge/bridge-failures.ts";
import { StreamText } from "./event-stream.ts";
import { HttpsClient, type HttpsClientDeps } from "./https-client.ts";

export interface PairedBridge extends HttpsClientDeps {
  /** What the bridge gave when its button was pressed. */
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
