/** Many idle hubs in one process: as little of a hub as says hello and keeps its lease. The bare variant only opens WebSockets. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { helloProof } from "@porchlight/shared/tunnel";
import WebSocket from "ws";
import { edgeIdOf } from "./memory-driver.ts";

const [kind = "", url = "", tokenFile = ""] = process.argv.slice(2);

if (kind === "bare")
  await Promise.all(
    Array.from({ length: Number(tokenFile) }, () => opened(new WebSocket(url, { perMessageDeflate: false }))),
  );
else {
  const tokens = readFileSync(tokenFile, "utf8").trim().split("\n");
  // The cloud lets in so many a second: a few at a time stay below it.
  for (let first = 0; first < tokens.length; first += 100) {
    await Promise.all(tokens.slice(first, first + 100).map((token, index) => hub(token, first + index)));
  }
}
process.stdout.write("ready\n");

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
}

async function hub(token: string, number: number): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const host = new URL(url).host;
  const socket = new WebSocket(`${url}/api/tunnel`, "porchlight.tunnel.v1", {
    perMessageDeflate: false,
    headers: { authorization: `Bearer ${token}` },
  });
  const ask = (id: number, method: string, params: object) =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", (code) => reject(new Error(`closed with ${code}`)));
    socket.on("message", (data) => {
      const message = JSON.parse(data.toString());
      if (message.method === "challenge") {
        const proof = helloProof(message.params.nonce, createHash("sha256").update(token).digest("hex"), host);
        ask(1, "hello", {
          oldest: 1,
          newest: 1,
          edgeId: edgeIdOf(0xfffe, number),
          instance: `idle-hub-${number}`,
          agentVersion: "bench",
          publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
          signature: sign(null, proof, privateKey).toString("base64"),
          logId: `idle-hub-log-${number}`,
          lastNumber: 0,
          acknowledged: 0,
          inventoryDigest: "none",
          now: Date.now(),
          queued: 0,
        });
      } else if (message.id === 1 && message.result) {
        if (message.result.inventory) ask(2, "inventory", { digest: "none", devices: [] });
        let beat = 2;
        setInterval(() => ask(++beat, "heartbeat", { queued: 0, now: Date.now() }), message.result.heartbeatMs).unref();
        resolve();
      } else if (message.error) reject(new Error(JSON.stringify(message.error)));
    });
  });
}
