/** Carries planned faults out: each begins, lasts and ends by itself, independent of the other faults. */
import { sleep, systemClock } from "@porchlight/shared/kernel";
import type { FaultProxy } from "../../parts/fault-proxy.ts";
import type { CableEnd } from "../../parts/matter-device.ts";
import type { Order } from "./device/program.ts";
import type { DeviceLine } from "./line/device-line.ts";
import type { LineFaults } from "./line/frame-way.ts";
import type { Cable } from "./matter/cable.ts";
import type { Part } from "./part.ts";
import type { PlannedFault } from "./plan.ts";
import { type Fault, type HomeRecord, machineTime, type Standstill } from "./record.ts";

/** What faults reach. */
export interface Breakable {
  /** Every process, by name. */
  readonly parts: ReadonlyMap<string, Part>;
  readonly serviceLine: FaultProxy;
  readonly deviceLines: ReadonlyMap<string, DeviceLine>;
  /** To the Matter device, if there is one. */
  readonly cable?: Cable | undefined;
  /** Orders a device's process to do something. */
  readonly order: (node: string, order: Order) => void;
  /** The device that leaves. */
  readonly leaver: string;
}

/** Ends what has begun; settles when it is over. */
type End = () => void | Promise<void>;
type Begin = (broken: Breakable, fault: PlannedFault, record: HomeRecord) => End | Promise<End>;

const nothing: End = () => undefined;

/** In which clients have had a write carried out, and which is shorter than a try of the hub, ms. */
const UNANSWERED_MS = 400;

const FAULTS: Readonly<Record<PlannedFault["name"], Begin>> = {
  kill: async ({ parts }, { target }) => {
    const part = found(parts, target);
    await part.kill();
    return () => part.start();
  },
  stop: ({ parts }, { target }) => {
    const part = found(parts, target);
    part.stop();
    return () => part.cont();
  },
  "stop unanswered": async ({ parts, deviceLines, order }, { target }) => {
    const part = found(parts, target);
    for (const node of deviceLines.keys()) order(node, { do: "forget", times: 1 });
    await sleep(systemClock, "a write that is not answered", UNANSWERED_MS);
    part.stop();
    return () => part.cont();
  },
  late: ({ serviceLine }, { amount }) => {
    serviceLine.delay(20, 50 + amount * 550);
    return () => serviceLine.delay(0, 0);
  },
  "hold up": ({ serviceLine }, _fault, record) => held(serviceLine, "up", record),
  "hold down": ({ serviceLine }, _fault, record) => held(serviceLine, "down", record),
  refuse: ({ serviceLine }) => {
    serviceLine.cutOff();
    return () => serviceLine.heal();
  },
  cut: ({ serviceLine }) => {
    serviceLine.cut();
    return nothing;
  },
  "swallow up": ({ serviceLine }) => swallowed(serviceLine, ["up"]),
  "swallow down": ({ serviceLine }) => swallowed(serviceLine, ["down"]),
  "swallow both": ({ serviceLine }) => swallowed(serviceLine, ["up", "down"]),
  reboot: ({ order }, { target }) => {
    order(target, { do: "reboot" });
    return nothing;
  },
  busy: ({ order }, { target, amount }) => {
    order(target, { do: "busy", times: 1 + Math.floor(amount * 6) });
    return nothing;
  },
  stale: ({ order }, { target, amount }) => {
    order(target, { do: "stale", ms: 20 + Math.floor(amount * 270) });
    return () => order(target, { do: "well" });
  },
  forget: ({ order }, { target, amount }) => {
    order(target, { do: "forget", times: 1 + Math.floor(amount * 3) });
    return nothing;
  },
  garbage: ({ deviceLines }, { target, amount }) => {
    deviceLines.get(target)?.spoil(1 + Math.floor(amount * 300));
    return nothing;
  },
  damage: (broken, { target, amount }) => worse(broken, target, { damage: 0.05 + amount * 0.5 }),
  "lose requests": (broken, { target, amount }) => worse(broken, target, { loseRequests: 0.2 + amount * 0.8 }),
  "lose answers": (broken, { target, amount }) => worse(broken, target, { loseAnswers: 0.2 + amount * 0.8 }),
  slow: (broken, { target, amount }) => worse(broken, target, { delayMs: [20, 40 + amount * 260] }),
  hold: (broken, { target }) => worse(broken, target, { isHeld: true }),
  unplug: ({ deviceLines }, { target }) => {
    deviceLines.get(target)?.unplug();
    return () => deviceLines.get(target)?.plug();
  },
  leave: ({ order, leaver: device }, { target }) => {
    order(target, { do: "leave", device });
    return () => order(target, { do: "come", device });
  },
  pull: ({ cable }) => {
    cable?.pull();
    return () => cable?.heal();
  },
  "silence hub": ({ cable }) => silenced(cable, ["hub"]),
  "silence device": ({ cable }) => silenced(cable, ["device"]),
  "silence both": ({ cable }) => silenced(cable, ["hub", "device"]),
};

/**
 * Carries one out and writes it down.
 * @param lasts waits so long, or less when the run is broken off
 */
export async function carryOut(
  broken: Breakable,
  fault: PlannedFault,
  record: HomeRecord,
  lasts: (ms: number) => Promise<void>,
): Promise<void> {
  const { track, name, target, forMs } = fault;
  const noted: Fault = { track, name, target, from: machineTime() };
  record.faults.push(noted);
  const end = await FAULTS[name](broken, fault, record);
  await lasts(forMs);
  await end();
  noted.to = machineTime();
}

function found(parts: Breakable["parts"], name: string): Part {
  const part = parts.get(name);
  if (!part) throw new Error(`there is no part ${name}`);
  return part;
}

function held(line: FaultProxy, direction: "up" | "down", { standstills }: HomeRecord): End {
  const standstill: Standstill = { kind: "service line", what: "cloud", from: machineTime() };
  standstills.push(standstill);
  line.hold(direction);
  return () => {
    line.release(direction);
    standstill.to = machineTime();
  };
}

function swallowed(line: FaultProxy, directions: readonly ("up" | "down")[]): End {
  line.silence(directions);
  return () => line.heal();
}

function silenced(cable: Cable | undefined, ends: readonly CableEnd[]): End {
  cable?.silence(...ends);
  return () => cable?.heal();
}

function worse({ deviceLines }: Breakable, target: string, faults: Partial<LineFaults>): End {
  const line = deviceLines.get(target);
  line?.fail(faults);
  return () => line?.heal();
}
