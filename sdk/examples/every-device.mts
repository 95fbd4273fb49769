/** Goes through every device that the token reaches, page after page, and counts them by what they say of themselves. */
import { Porchlight } from "@porchlight/sdk";

const porchlight = new Porchlight({
  baseUrl: process.env.PORCHLIGHT_API_URL ?? "http://127.0.0.1:8080",
  token: process.env.PORCHLIGHT_TOKEN,
});

const counts = new Map<string, number>();
for await (const device of porchlight.devices.list()) {
  const state = device.connection?.state ?? device.type;
  counts.set(state, (counts.get(state) ?? 0) + 1);
}
for (const [state, count] of counts) console.log(`${state}: ${count}`);
