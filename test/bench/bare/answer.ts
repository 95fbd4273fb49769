/** The bare cached read: Fastify that returns one JSON that it is handed at the start. */
import { readFileSync } from "node:fs";
import Fastify from "fastify";

const [file = ""] = process.argv.slice(2);
const answer = JSON.parse(readFileSync(file, "utf8"));
const app = Fastify();
app.get("/api/environments/:id/services/:selector", async () => answer);
await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`listening on ${app.listeningOrigin}\n`);
