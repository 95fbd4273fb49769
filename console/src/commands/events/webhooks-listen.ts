/** `porchlight webhooks listen`: delivers events to a server on this machine, as a webhook would to a public one. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { styled } from "../../render/style.ts";
import { padded } from "../../render/table.ts";
import type { Args } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import { follow } from "../../session/follow.ts";
import { ECOSYSTEM, ENVIRONMENT } from "../../session/places.ts";
import { scopeOf, typesOf, typesOption } from "./events.ts";
import { type Forwarded, Forwarder, listenSecret, postNearby, secretPath } from "./forwarder.ts";

export const webhooksListen: Command = {
  name: "listen",
  summary: "Sends events to a server on this machine, signed as a webhook's",
  options: [
    {
      name: "forward-to",
      value: "URL",
      summary: "Where events are sent: http://localhost:3000/hook, or localhost:3000",
    },
    typesOption("events"),
    { name: "print-secret", summary: "Prints the secret, and exits" },
    ENVIRONMENT,
    ECOSYSTEM,
  ],
  examples: [
    "porchlight webhooks listen --forward-to http://localhost:3000/hook",
    "porchlight webhooks listen --forward-to localhost:3000 --types device.*,command.completed",
    "export WEBHOOK_SECRET=$(porchlight webhooks listen --print-secret)",
  ],
  notes: [
    "The events come from the event stream, so no public address is needed and nothing is registered at the service. Each is a request of Standard Webhooks 1.0, one after another, as a real webhook would send it.",
    "The secret is created once, and stored beside the settings file. Each event is sent once: if your server refuses it, the status is shown, and it is not sent again.",
  ],
  async run(context, args) {
    const { output, settings, random, clock, signal } = context;
    const secret = listenSecret(secretPath(settings.path), random);
    if (args.has("print-secret")) {
      output.line(secret);
      return;
    }
    const url = addressOf(args);
    const scope = await scopeOf(context, args);
    output.note(`Events go to ${url}, signed with the secret ${secret}`);
    const forwarder = new Forwarder({ url, secret, clock, post: postNearby, signal });
    for await (const item of follow(context, { ...scope, types: typesOf(args) }))
      if (item.kind === "event") show(context, item.event, await forwarder.forward(item.event));
  },
};

/** @throws UsageError */
function addressOf(args: Args): string {
  const text = args.text("forward-to");
  if (text === undefined)
    throw new UsageError(
      "--forward-to is missing.",
      "It is the address that events are sent to.",
      "give --forward-to http://localhost:3000",
    );
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(url) && /^https?:/i.test(url)) return url;
  throw new UsageError(
    "--forward-to takes an address of http or https.",
    `\`${text}\` is not one.`,
    "give --forward-to http://localhost:3000/hook",
  );
}

/** 2xx counts as success, as in the service. */
function show({ output }: Context, event: PorchlightEvent, forwarded: Forwarded): void {
  const { id: eventId, sequence, type, createdAt } = event;
  const { responseStatus, error, durationMs } = forwarded;
  const result = responseStatus === undefined ? (error ?? "") : String(responseStatus);
  if (output.isJson) output.jsonLine({ eventId, sequence, type, ...forwarded });
  else if (output.isTerminal) {
    const isGood = responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300;
    const status = styled(isGood ? "green" : "red", padded(result, 3));
    const time = styled("dim", createdAt.slice(11, 19));
    output.line(time, "  ", status, `  ${padded(`${durationMs} ms`, 7)}  ${padded(type, 19)}  ${eventId}`);
  } else output.tabbed([createdAt, eventId, type, result, String(durationMs)]);
}
