/** Requests the name and MAC address of an encrypted device, which it sends without a key; for a device whose key the hub lacks. */
import type { ByteLink } from "@porchlight/shared/wire";
import { NoiseFrames, WireProblem } from "./frames.ts";
import { CLIENT_HELLO, type ServerHello, serverHello } from "./noise.ts";

/** Always closes the link. @throws WireProblem, the signal's reason */
export async function askIntroduction(link: ByteLink, signal: AbortSignal): Promise<ServerHello> {
  const said = Promise.withResolvers<ServerHello>();
  const frames = new NoiseFrames();
  const stop = () => said.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    link.listen(
      (bytes) => {
        try {
          const [frame] = frames.push(Buffer.from(bytes));
          if (frame) said.resolve(serverHello(frame));
        } catch (failure) {
          said.reject(failure);
        }
      },
      () => said.reject(new WireProblem("closed", "It has not said its name.")),
    );
    link.write(CLIENT_HELLO).catch(() => undefined);
    return await said.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    link.close();
  }
}
