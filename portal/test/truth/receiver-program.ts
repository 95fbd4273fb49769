/** A receiver of webhooks as a process of its own, so that it can stand still and be killed. It takes everything. */
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => void response.writeHead(204).end());
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`port ${typeof address === "object" ? address?.port : ""}\n`);
});
