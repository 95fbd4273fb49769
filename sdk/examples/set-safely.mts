/** Sets a property, and does what each outcome asks for: `node set-safely.mts REFERENCE SELECTOR VALUE`, where VALUE is JSON. */
import { isPorchlightError, Porchlight, type PorchlightError } from "@porchlight/sdk";

const [reference = "", selector = "", value = "null"] = process.argv.slice(2);
const porchlight = new Porchlight({
  baseUrl: process.env.PORCHLIGHT_API_URL ?? "http://127.0.0.1:8080",
  token: process.env.PORCHLIGHT_TOKEN,
});

try {
  const { item } = await porchlight.devices.set(reference, selector, JSON.parse(value));
  console.log(`${selector} is now ${JSON.stringify(item.value)}`);
} catch (error) {
  if (!isPorchlightError(error)) throw error;
  process.exitCode = 1;
  console.log(`${error.name}: ${await advice(error)}`);
}

/** What is known of the write, and what may be done about it. */
async function advice(error: PorchlightError): Promise<string> {
  switch (error.outcome) {
    case "not_sent":
    case "not_applied":
      return "nothing has changed: try again later";
    case "rejected":
      return "the device has refused: another value may do";
    case "unknown":
      // Never set again on a guess: the command says what became of it.
      return error.commandId ? `it is ${(await porchlight.commands.get(error.commandId)).state}` : "nobody knows";
    default:
      return error.message;
  }
}
