/** Tests a receiver: `webhooks test` and `trigger` send requests to it, `verify` checks a signature as it should. */
import { readFileSync } from "node:fs";
import { verifyWebhook, WebhookSignatureError } from "@porchlight/sdk";
import type { Args } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { readText } from "../../session/fields.ts";
import { ECOSYSTEM, Places } from "../../session/places.ts";

const EXAMPLE = "whk_01h455vb4pex5vsknk084sn02q";
const SECRET_VARIABLE = "WEBHOOK_SECRET";

const test: Command = {
  name: "test",
  summary: "Sends a webhook.test, regardless of the webhook's events",
  parameters: [{ name: "WEBHOOK", summary: "ID of the webhook (`whk_…`)" }],
  examples: [`porchlight webhooks test ${EXAMPLE}`],
  async run({ output, porchlight }, args) {
    output.record(await porchlight.webhooks.test(args.word("WEBHOOK")));
  },
};

const trigger: Command = {
  name: "trigger",
  summary: "Sends a webhook an example of a type of event, marked as a test",
  parameters: [
    { name: "TYPE", summary: "Type of the event: device.online" },
    { name: "WEBHOOK", summary: "ID of the webhook (`whk_…`); not needed if there is only one", isOptional: true },
  ],
  options: [ECOSYSTEM],
  examples: ["porchlight webhooks trigger device.online", `porchlight webhooks trigger property.changed ${EXAMPLE}`],
  notes: [
    'It is sent to this webhook only, regardless of its types, and even while it is disabled. It is sent once, and signed as usual. The body has `"test": true`, because nothing has happened. Deliveries list it as webhook.test.',
  ],
  async run(context, args) {
    const webhook = args.optionalWord("WEBHOOK") ?? (await onlyWebhook(context, args));
    context.output.record(await context.porchlight.webhooks.test(webhook, { type: args.word("TYPE") }));
  },
};

const verify: Command = {
  name: "verify",
  summary: "Checks the signature of a delivery, as your server should",
  parameters: [{ name: "BODY", summary: "File with the body as it was received, byte for byte; `-` is stdin" }],
  options: [
    { name: "header", short: "H", value: "NAME:VALUE", summary: "A header of the delivery", isRepeatable: true },
    { name: "headers", value: "FILE", summary: "Headers in a file, one per line" },
    { name: "secret-file", value: "FILE", summary: `Secret of the webhook; otherwise ${SECRET_VARIABLE}` },
    { name: "any-time", summary: "Accepts a signature of any age; a real receiver must not do this" },
  ],
  examples: [
    "porchlight webhooks verify body.json --headers headers.txt --secret-file secret.txt",
    "porchlight webhooks verify - -H 'webhook-id: evt_1' -H 'webhook-timestamp: 1764000000' -H 'webhook-signature: v1,…' < body.json",
  ],
  notes: [
    "It needs the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks 1.0). The exit status is 0 when the signature is valid and 1 when it is not. Nothing is sent to the service.",
  ],
  async run(context, args) {
    const { output, clock } = context;
    const headers = headersOf(args);
    const body = bodyOf(args.word("BODY"));
    const signedAt = Number(headers.get("webhook-timestamp")) * 1000;
    const now = args.has("any-time") && Number.isFinite(signedAt) ? signedAt : clock.now();
    const checked = verifyWebhook({ headers, body, secret: secretOf(context, args) }, { ...clock, now: () => now });
    const event = await checked.catch((cause: unknown) => {
      throw refusalOf(cause);
    });
    if (output.isJson) output.json(event);
    else output.line(`The signature is valid: ${event.type} ${event.id}`);
  },
};

export const webhookTests: readonly Command[] = [test, trigger, verify];

/** @throws UsageError when there is none, or more than one */
async function onlyWebhook(context: Context, args: Args): Promise<string> {
  const ecosystemId = await new Places(context, args).chosenEcosystem();
  const { items } = await context.porchlight.webhooks.list({ ecosystemId }, { pageSize: 2 }).page();
  const [first, second] = items;
  if (first && !second) return first.id;
  throw new UsageError(
    "WEBHOOK is missing.",
    first ? "There are several webhooks." : "There is no webhook.",
    first ? "porchlight webhooks list, and give one" : "porchlight webhooks create --url URL",
  );
}

/** @throws UsageError */
function headersOf(args: Args): Headers {
  const file = args.text("headers");
  const lines = file === undefined ? [] : readText(file, "--headers").split(/\r?\n/);
  const headers = new Headers();
  // A file from `curl -i` begins with a status line.
  const inFile = lines.filter((line) => /^[^\s:]+:/.test(line));
  for (const line of [...inFile, ...args.all("header")]) {
    const at = line.indexOf(":");
    try {
      headers.set(line.slice(0, at), line.slice(at + 1).trim());
    } catch {
      throw new UsageError(`\`${line}\` is not a header.`, "A header is NAME:VALUE.", "give -H 'webhook-id: evt_…'");
    }
  }
  return headers;
}

/** As bytes, because decoding invalid UTF-8 would change the body. @throws UsageError */
function bodyOf(file: string): Uint8Array {
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? String(failure.code) : String(failure);
    throw new UsageError(`${file} cannot be read.`, code, "check the name of the file");
  }
}

/** @throws UsageError */
function secretOf({ env }: Context, args: Args): string {
  const file = args.text("secret-file");
  const secret = file === undefined ? env[SECRET_VARIABLE] : readText(file, "--secret-file").trim();
  if (secret) return secret;
  throw new UsageError(
    "The secret is missing.",
    `Neither --secret-file nor ${SECRET_VARIABLE} has it.`,
    `give --secret-file FILE, or set ${SECRET_VARIABLE}`,
  );
}

function refusalOf(cause: unknown): unknown {
  const remedy = "compare the secret, and check that the body is byte for byte what came";
  if (cause instanceof WebhookSignatureError)
    return new Failure("failed", "The signature is not valid.", cause.message, remedy);
  if (cause instanceof SyntaxError)
    return new Failure("failed", "The signature is valid, but the body is not JSON.", cause.message, remedy);
  return cause;
}
