/** The bare gateway: a WebSocket server that holds connections. Says its heap when asked. */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";

const server = createServer();
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) =>
  socket.on("message", () => undefined),
);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`);
});
createInterface({ input: process.stdin }).on("line", () => undefined);
