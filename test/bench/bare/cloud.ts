/** The bare cloud: Fastify that relays a PUT through one WebSocket, with `commits` group-committed rows in a row before it answers. */
import Fastify from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { GroupCommit } from "./group-commit.ts";

const [file = "", commits = "0"] = process.argv.slice(2);
const rows = new GroupCommit(file);
const app = Fastify();
const waiting = new Map<number, (value: unknown) => void>();
let hub: WebSocket | undefined;
let last = 0;

app.put("/api/devices/:id/services/:selector", async (request) => {
  const id = ++last;
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  hub?.send(JSON.stringify({ jsonrpc: "2.0", id, method: "command", params: request.body }));
  const answer = await answered;
  for (let commit = 0; commit < Number(commits); commit++) await rows.add(JSON.stringify(answer));
  return answer;
});

await app.listen({ host: "127.0.0.1", port: 0 });
new WebSocketServer({ server: app.server, perMessageDeflate: false }).on("connection", (socket) => {
  hub = socket;
  socket.on("message", (data) => {
    const message = JSON.parse(data.toString());
    waiting.get(message.id)?.(message.params);
    waiting.delete(message.id);
  });
});
process.stdout.write(`listening on ${app.listeningOrigin}\n`);
