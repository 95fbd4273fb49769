/** The NATS server of the tests does what its methods state, or the scenarios that break it prove nothing. */
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startNats } from "./nats-server.ts";

/** The first bytes on a new connection; undefined without a server, "" when nothing is sent for a while. */
function greeting(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const silence = setTimeout(() => end(""), 300);
    const end = (text: string | undefined) => {
      clearTimeout(silence);
      socket.destroy();
      resolve(text);
    };
    socket.once("data", (bytes) => end(String(bytes).slice(0, 4)));
    socket.once("error", () => end(undefined));
  });
}

test("a NATS server is killed, comes back on its port, stands still, and goes on", async () => {
  await using nats = await startNats();
  expect(await greeting(nats.port)).toBe("INFO");
  await nats.kill();
  expect(await greeting(nats.port)).toBeUndefined();
  await nats.restart();
  expect(await greeting(nats.port)).toBe("INFO");
  nats.stop();
  expect(await greeting(nats.port)).toBe("");
  nats.cont();
  expect(await greeting(nats.port)).toBe("INFO");
});
