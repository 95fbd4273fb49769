/** Sets a property of a node, and finds out whether the device has done it: a server that has sent a command knows nothing of the device. */
import type { Outcome, Patience, Read } from "@porchlight/driver-kit";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { isConfirmed, type ValueSetting, type ZwaveProperty } from "../classes/zwave-property.ts";
import type { ServerCommandOptions } from "../server/server-channel.ts";
import { type NodeAsker, silent } from "./node-asker.ts";

/** Until the device is asked what a command without a confirmation has done, ms; each further time twice as long, up to the second. */
const CHECK_AFTER_MS = 300;
const CHECK_AT_MOST_MS = 2000;

export interface SettingState {
  readonly property: ZwaveProperty;
  readonly setting: ValueSetting;
  readonly patience: Patience;
  readonly touch: ServerCommandOptions["touch"];
}

/** The command is sent once. @throws what the server throws */
export async function setAndConfirm(
  asker: Pick<NodeAsker, "set" | "pollsOf" | "read">,
  clock: Clock,
  { property, setting, patience, touch }: SettingState,
): Promise<Outcome> {
  const result = await asker.set(setting, patience, touch);
  if (result.kind === "refused") return { refused: result.why, code: result.code };
  if (result.kind === "done" || (result.kind === "accepted" && setting.isTarget)) return { now: setting.now };
  if (asker.pollsOf(property).length === 0)
    return { unknown: "The device has received it, and never says whether it has done it." };
  for (
    let wait = CHECK_AFTER_MS;
    clock.monotonic() + wait < patience.deadline;
    wait = Math.min(2 * wait, CHECK_AT_MOST_MS)
  ) {
    await sleep(clock, "device that is asked what it has done", wait, patience.signal);
    const said: Read<Value> = await asker.read(property, patience, touch).catch(silent);
    if (said !== undefined && isConfirmed(property, setting.now, said)) return { now: said };
  }
  return { unknown: "The device has received it, and has not said that it is so." };
}
