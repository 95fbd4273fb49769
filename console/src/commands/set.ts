/** `porchlight set DEVICE SERVICE.PROPERTY VALUE`: succeeds when the device has confirmed the value. */
import { type Part, styled } from "../render/style.ts";
import type { Args } from "../session/args.ts";
import type { Action, Context } from "../session/command.ts";
import { UsageError } from "../session/failure.ts";
import { secondsOf } from "../session/fields.ts";
import { ENVIRONMENT, Places } from "../session/places.ts";
import { atOnce, DEVICE, descriptionOf, meantValue, nameOf, valueText, WAIT, withUnit } from "../session/property.ts";

const LONGEST_TTL = 86_400;

export const set: Action = {
  parameters: [
    DEVICE,
    { name: "SELECTOR", summary: "SERVICE.PROPERTY; SERVICE:INDEX.PROPERTY where it has several" },
    { name: "VALUE", summary: "A value of the property's type: true or on, 120, a text, or JSON", mayBeEmpty: true },
  ],
  options: [
    WAIT,
    { name: "no-wait", summary: "Sends the command, and does not wait for the device" },
    {
      name: "ttl",
      value: "DURATION",
      summary: "With --no-wait: how long the command waits for a hub that is offline (60s)",
    },
    { name: "trace", summary: "Shows the time of each step" },
    { name: "report", summary: "Reports the value as a sensor of a virtual device would; also if it is not writable" },
    ENVIRONMENT,
  ],
  examples: [
    "porchlight set lamp LightColor.hue 120",
    "porchlight set 'home;lamp' Switch.on off --wait 3",
    "porchlight set lamp Switch:1.on true --no-wait --ttl 1h",
    "porchlight set offset Temperature.celsius -- -3.5",
  ],
  notes: [
    "Shows the last known value, the value that the device has confirmed, and the time that it took. The exit status is 0 only when the device has confirmed.",
    "Exit status 6 means that a hub or device is offline or did not answer; the error shows the outcome of the command (not sent, not applied, unknown). Exit status 5 means that the command was refused.",
  ],
  async run(context, args) {
    checkOptions(args);
    const { porchlight } = context;
    const reference = await new Places(context, args).reference("device", args.word("DEVICE"));
    const selector = args.word("SELECTOR");
    const description = descriptionOf(await porchlight.devices.services(reference), selector);
    const asked = { reference, selector, value: meantValue(args.word("VALUE"), description) };
    if (args.has("no-wait")) await give(context, args, asked);
    else await setAndWait(context, args, { ...asked, before: description?.value, unit: description?.unit });
  },
};

interface Asked {
  readonly reference: string;
  readonly selector: string;
  readonly value: unknown;
}

function checkOptions(args: Args): void {
  const isGiven = args.has("no-wait");
  if (isGiven && args.has("trace"))
    throw new UsageError(
      "--trace and --no-wait exclude each other.",
      "Only a command that is waited for is timed.",
      "give only one of them",
    );
  if (isGiven && args.text("wait") !== undefined)
    throw new UsageError(
      "--wait and --no-wait exclude each other.",
      "One waits, the other does not.",
      "give only one of them",
    );
  if (!isGiven && args.text("ttl") !== undefined)
    throw new UsageError(
      "--ttl needs --no-wait.",
      "Without --no-wait the command ends when the wait ends.",
      "give --no-wait too",
    );
}

async function setAndWait(
  context: Context,
  args: Args,
  asked: Asked & { readonly before: unknown; readonly unit: string | undefined },
): Promise<void> {
  const { output, porchlight, clock } = context;
  const { reference, selector, value, before, unit } = asked;
  const began = clock.monotonic();
  const report = args.has("report") ? { report: true as const } : {};
  const options = { wait: args.number("wait"), trace: args.has("trace"), ...report };
  const { item, commandId, timing } = await atOnce(context, (call) =>
    porchlight.devices.set(reference, selector, value, { ...options, ...call }),
  );
  const roundTripMs = Math.round(clock.monotonic() - began);
  if (output.isJson) {
    const previous = before !== undefined && { previousValue: before };
    output.json({ ...item, ...previous, commandId, roundTripMs, ...(timing && { timing }) });
    return;
  }
  const arrow = output.showing.isUnicode ? "→" : "->";
  const was: Part[] = before === undefined ? [] : [`${valueText(before)} ${arrow} `];
  output.line(
    `${nameOf(item)}  `,
    ...was,
    styled("bold", withUnit(item.value, unit)),
    styled("dim", `  confirmed in ${roundTripMs} ms`),
  );
  // Hops of the round trip; the remainder is the way to the service and back.
  for (const [hop, ms] of Object.entries(timing ?? {}))
    output.line(`  ${hop.padEnd(11)} ${ms.toFixed(1).padStart(9)} ms`);
}

async function give({ output, porchlight }: Context, args: Args, { reference, selector, value }: Asked): Promise<void> {
  const ttl = args.text("ttl");
  const ttlSeconds = ttl === undefined ? undefined : secondsOf(ttl, "ttl");
  if (ttlSeconds !== undefined && (ttlSeconds < 1 || ttlSeconds > LONGEST_TTL))
    throw new UsageError("--ttl is from 1 s to 24 h.", `\`${ttl}\` is not.`, "give --ttl 1h");
  const report = args.has("report") ? { report: true as const } : {};
  const command = await porchlight.devices.setAsync(reference, selector, value, { ttlSeconds, ...report });
  if (output.isJson) {
    output.json(command);
    return;
  }
  output.line(...(output.isTerminal ? [`${nameOf(command)}  ${command.state}  `, command.id] : [command.id]));
  if (command.completedAt === undefined)
    output.note(`It is valid until ${command.expiresAt}. To see its result: porchlight commands get ${command.id}`);
}
