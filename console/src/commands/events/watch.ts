/** `porchlight watch [PLACE]`: values as they change, on the screen in place or one a line. */
import type { ConnectionState } from "@porchlight/sdk";
import { type Device, formatTime, type PropertyItem } from "@porchlight/shared/api";
import { Board } from "../../live/board.ts";
import { LiveView, Quit } from "../../live/live-view.ts";
import { Roster } from "../../live/roster.ts";
import type { Action } from "../../session/command.ts";
import type { Context } from "../../session/context.ts";
import { follow, followed } from "../../session/follow.ts";
import { ENVIRONMENT } from "../../session/places.ts";
import { nameOf as propertyNameOf, valueText } from "../../session/property.ts";
import { PLACE, placeScope, type Scope } from "./place-scope.ts";

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
  for await (const told of follow(context, { environmentId, types: TYPES, snapshot: true })) {
    if (told.kind === "snapshot") for (const item of told.items) show(item);
    else if (told.kind === "event" && told.event.type === "property.changed") show(told.event.data.item);
  }
}

async function onScreen(context: Context, scope: Scope): Promise<void> {
  const { output, stderr } = context;
  const said: string[] = [];
  // What is written beside the screen while it is drawn on would be drawn over.
  const say = (text: string) => {
    if (stderr.isTTY) said.push(`${formatTime(context.clock.now()).slice(11)} ${text}`);
    else output.note(text);
  };
  try {
    await drawn(context, scope, say);
  } catch (end) {
    if (!(end instanceof Quit)) throw end;
  } finally {
    for (const text of said) output.note({ style: "yellow", text });
  }
}

/** Draws until it is ended. @throws Quit, PorchlightError, the session's end */
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
    for await (const told of followed(context, asked, { onConnection, say })) {
      if (board.take(told, clock.monotonic())) roster.wake();
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
