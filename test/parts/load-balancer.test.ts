/** The balancer of the tests gives each connection to the next node, and passes over those that take none. */
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { LoadBalancer } from "./load-balancer.ts";

/** Sends its name, waits for the end of its input, and repeats it. */
async function node(name: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.on("error", () => undefined);
    socket.write(name);
    socket.end(await text(socket).catch(() => ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const ask = (port: number) => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end("!");
  return text(socket);
};

test("each connection goes to the next node that takes it, with its bytes and its end", async () => {
  const [a, b] = [await node("a"), await node("b")];
  const ports = [portOf(a), await freePort(), portOf(b)];
  await using balancer = await LoadBalancer.start(() => ports);
  const answers: string[] = [];
  for (let time = 0; time < 6; time++) answers.push(await ask(balancer.port));
  expect(answers).toEqual(["a!", "b!", "b!", "a!", "b!", "b!"]);
  ports.splice(0, 3, ports[1] ?? 0);
  await expect(ask(balancer.port)).rejects.toThrow("ECONNRESET");
  for (const server of [a, b]) server.close();
});
