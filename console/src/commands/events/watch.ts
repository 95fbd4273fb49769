/** `porchlight watch [PLACE]`: values as they change, on the screen in place or one on each line. */
import { type ConnectionState, isPorchlightError } from "@porchlight/sdk";
import { type Device, formatTime, type PropertyItem } from "@porchlight/shared/api";
import { nameOf } from "@porchlight/shared/names";
import { Board } from "../../live/board.ts";
import { LiveView, Quit } from "../../live/live-view.ts";
import { Roster } from "../../live/roster.ts";
import type { Args, Parameter } from "../../session/args.ts";
import type { Action, Context } from "../../session/command.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { follow, followed } from "../../session/follow.ts";
import { ENVIRONMENT, Places } from "../../session/places.ts";
import { nameOf as propertyNameOf, valueText } from "../../session/property.ts";

/** The parameter for a device or an environment, which `watch` and `log` share. */
export const PLACE: Parameter = {
  name: "PLACE",
  summary: "A device or an environment: ID, alias or reference (the environment)",
  isOptional: true,
};

export interface Scope {
  readonly environmentId: string;
  /** The only device to show. */
  readonly device?: Device;
  readonly title: string;
}

/**
 * The scope of the command. A word can name a device or an environment, because an alias is unique in an ecosystem.
 * @throws Failure, UsageError, PorchlightError
 */
export async function placeScope(context: Context, args: Args): Promise<Scope> {
  const places = new Places(context, args);
  const text = args.optionalWord("PLACE");
  if (text === undefined) return environmentScope(context, await places.environment());
  if (/^env_/.test(text)) return environmentScope(context, text);
  const asDevice = await found(async () => deviceScope(context, await places.reference("device", text)));
  if (typeof asDevice === "object" && "title" in asDevice) return asDevice;
  if (/^dev_/.test(text)) throw asDevice;
  const asEnvironment = await found(async () => environmentScope(context, await places.reference("environment", text)));
  if (typeof asEnvironment === "object" && "title" in asEnvironment) return asEnvironment;
  throw text.includes(";") ? asDevice : notThere(text);
}

async function environmentScope({ porchlight }: Context, reference: string): Promise<Scope> {
  const environment = await porchlight.environments.get(reference);
  return { environmentId: environment.id, title: nameOf(environment) };
}

async function deviceScope({ porchlight }: Context, reference: string): Promise<Scope> {
  const device = await porchlight.devices.get(reference);
  return { environmentId: device.environmentId, device, title: nameOf(device) };
}

/** The scope, or the service's reason for not finding it. */
async function found(look: () => Promise<Scope>): Promise<Scope | Error> {
  try {
    return await look();
  } catch (failure) {
    const isNothing = isPorchlightError(failure) && (failure.status === 400 || failure.status === 404);
    if (isNothing || failure instanceof UsageError) return failure;
    throw failure;
  }
}

function notThere(text: string): Failure {
  return new Failure(
    "notFound",
    `There is no \`${text}\`.`,
    "No device or environment that you can access has this name.",
    "porchlight devices list, or porchlight environments list",
  );
}

const TYPES = ["property.changed", "device.*", "hub.*"];

export const watch: Action = {
  parameters: [PLACE],
  options: [ENVIRONMENT],
  examples: ["porchlight watch", "porchlight watch lamp", "porchlight watch 'home;lamp' --json | jq .value"],
  notes: [
    "On a terminal: a table that changes in place. `q` quits, the arrow keys scroll. After a broken connection it continues where it stopped, and says so.",
    "In a pipe: one line for each value, and then for each change. With --json each line is the API's property item.",
  ],
  async run(context, args) {
    const scope = await placeScope(context, args);
    const isOnScreen = context.output.isTerminal && !context.output.isJson && context.env.TERM !== "dumb";
    if (isOnScreen) await onScreen(context, scope);
    else await lineByLine(context, scope);
  },
};

async function lineByLine(context: Context, { environmentId, device }: Scope): Promise<void> {
  const { output } = context;
  const show = (item: PropertyItem) => {
    if (device && item.deviceId !== device.id) return;
    if (output.isJson) output.jsonLine(item);
    else output.tabbed([item.modifiedAt ?? "", item.deviceId, propertyNameOf(item), valueText(item.value)]);
  };
  for await (const received of follow(context, { environmentId, types: TYPES, snapshot: true })) {
    if (received.kind === "snapshot") for (const item of received.items) show(item);
    else if (received.kind === "event" && received.event.type === "property.changed") show(received.event.data.item);
  }
}

async function onScreen(context: Context, scope: Scope): Promise<void> {
  const { output, stderr } = context;
  const messages: string[] = [];
  // Other output during the drawing would be overwritten.
  const say = (text: string) => {
    if (stderr.isTTY) messages.push(`${formatTime(context.clock.now()).slice(11)} ${text}`);
    else output.note(text);
  };
  try {
    await drawn(context, scope, say);
  } catch (end) {
    if (!(end instanceof Quit)) throw end;
  } finally {
    for (const text of messages) output.note({ style: "yellow", text });
  }
}

/** Draws until the user or the session ends it. @throws Quit, PorchlightError, the session's abort reason */
async function drawn(context: Context, scope: Scope, say: (text: string) => void): Promise<void> {
  const { clock, porchlight } = context;
  const { environmentId, device, title } = scope;
  const board = new Board(device?.id);
  using view = new LiveView(context, board, () => `${title}  ${countText(board, device)}`);
  const { signal } = view;
  const devices = () => (device ? porchlight.devices.get(device.id).then((each) => [each]) : devicesOf(context, scope));
  const roster = new Roster({ board, clock, signal, devices, changed: () => view.changed() });
  await roster.read();
  view.open();
  const onConnection = (connection: ConnectionState) => {
    view.onConnection(connection);
    if (connection.state === "connected") roster.wake();
  };
  const events = async () => {
    const asked = { environmentId, types: TYPES, snapshot: true, signal };
    for await (const received of followed(context, asked, { onConnection, say })) {
      if (board.take(received, clock.monotonic())) roster.wake();
      view.changed();
    }
  };
  await Promise.race([events(), roster.run()]);
}

function countText(board: Board, device: Device | undefined): string {
  const properties = `${board.rows.length} ${board.rows.length === 1 ? "property" : "properties"}`;
  return device ? properties : `${board.devices} ${board.devices === 1 ? "device" : "devices"}, ${properties}`;
}

function devicesOf({ porchlight }: Context, { environmentId }: Scope): Promise<Device[]> {
  return porchlight.devices.list({ environmentId }).all();
}
