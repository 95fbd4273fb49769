/** A receiver of webhooks: verifies each delivery, answers at once, and knows a repeat by its ID. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { verifyWebhook, WebhookSignatureError } from "@porchlight/sdk";

const secret = process.env.WEBHOOK_SECRET ?? "";
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    // The body as it came: parsed and written again it is another.
    const body = await text(request);
    const event = await verifyWebhook({ headers: request.headers, body, secret });
    const isRepeat = seen.has(event.id);
    seen.add(event.id);
    response.writeHead(204).end();
    if (!isRepeat) console.log(`${event.type} ${event.id}`);
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    response.writeHead(401).end();
    console.log(`refused: ${error.message}`);
  }
});
server.listen(Number(process.env.PORT ?? 8787), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on ${typeof address === "object" ? address?.port : address}`);
});
