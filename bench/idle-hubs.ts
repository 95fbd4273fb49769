/** Many idle hubs in one process. The bare variant only opens WebSockets. */
import { readFileSync } from "node:fs";
import WebSocket from "ws";
import { SimulatedHub } from "../test/parts/simulated-hub.ts";

const [kind = "", url = "", tokenFile = ""] = process.argv.slice(2);

if (kind === "bare")
  await Promise.all(
    Array.from({ length: Number(tokenFile) }, () => opened(new WebSocket(url, { perMessageDeflate: false }))),
  );
else {
  const tokens = readFileSync(tokenFile, "utf8").trim().split("\n");
  // The cloud lets in so many a second: a few at a time stay below it.
  for (let first = 0; first < tokens.length; first += 100)
    await Promise.all(
      tokens
        .slice(first, first + 100)
        .map((token, index) => SimulatedHub.connect({ url, token, number: first + index, devices: 0 })),
    );
}
process.stdout.write("ready\n");

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
}
