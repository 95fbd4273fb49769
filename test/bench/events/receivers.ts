/** The receivers of a run in one process: `POST /N` is webhook N's. `tell` on stdin has it say what came. */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Tally } from "./tally.ts";

const tally = new Tally(Number(process.argv[2]));

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const event = JSON.parse(body);
    if (event.type === "property.changed") tally.add(Number(request.url?.slice(1)), event, Date.now());
    response.writeHead(204).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : 0}\n`);
});
createInterface({ input: process.stdin }).on("line", () => process.stdout.write(`${JSON.stringify(tally.came())}\n`));
