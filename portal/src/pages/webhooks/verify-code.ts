/** How a receiver makes sure that what it was sent is of this service: lines that work when they are pasted. */

/** In TypeScript, with the SDK. */
export const VERIFY_WITH_SDK = [
  'import { createServer } from "node:http";',
  'import { verifyWebhook } from "@porchlight/sdk";',
  "",
  "createServer(async (request, response) => {",
  "  const body = Buffer.concat(await request.toArray());",
  "  try {",
  '    const event = await verifyWebhook({ headers: request.headers, body, secret: process.env.SECRET ?? "" });',
  "    console.log(event);",
  "    response.writeHead(204).end();",
  "  } catch {",
  "    response.writeHead(401).end();",
  "  }",
  "}).listen(8000);",
].join("\n");

/** With openssl: prints what one of the signatures must be. */
export const VERIFY_BY_HAND = `# headers of the request: webhook-id, webhook-timestamp, webhook-signature; its body as it came: body.json
KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" | cat - body.json |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64   # is in webhook-signature, after v1,`;

/** The same for a secret that is not \`whsec_…\`: its bytes are the key. */
export const VERIFY_OWN_BY_HAND = VERIFY_BY_HAND.replace(
  `"\${SECRET#whsec_}" | base64 -d | xxd -p -c 256)`,
  `"$SECRET" | xxd -p -c 1024)`,
);
