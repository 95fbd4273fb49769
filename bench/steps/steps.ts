/**
 * The steps of the ladder: what a relayed PUT promises, one after another, added to the bare limit; and the IDs and frames that the ladder's
 * cloud and hub, which are processes of their own, have in common.
 */

/** Each has all before it. */
export const STEPS = [
  ["http", "headers and body as the product sends and checks them"],
  ["access", "token looked up, with its end and its reach; the device found"],
  ["value", "JSON value against the compiled description"],
  ["frames", "the tunnel's frames: IDs, deadlines, each field checked on both sides"],
  ["rows", "cloud: command, value, event and counter rows in the tables of the product, one commit for a group"],
  ["fence", "cloud: the lease proved and the file still there, in each transaction"],
  ["journal", "hub: journal begun, device, journal ended with value and record, in its tables, with checksums"],
  ["outbox", "the hub's record to the cloud, and acknowledged"],
  ["history", "history recorded in the cloud and on the hub"],
  ["counts", "metrics and request log"],
] as const;

export type Step = (typeof STEPS)[number][0];
/** Whether the ladder has that step. */
export type Has = (step: Step) => boolean;

/** @param last the highest step that it has; of another word it has none */
export function upTo(last: string): Has {
  const place = STEPS.findIndex(([name]) => name === last);
  const had = new Set<Step>(STEPS.slice(0, place + 1).map(([name]) => name));
  return (step) => had.has(step);
}

/** The one ecosystem and hub of the ladder, in the form of the product's IDs. */
export const ECOSYSTEM = "eco_01m7yjmq0ee0d869r77vh1rgdt";
export const ENVIRONMENT = "env_01m7yjmq0ge3bajhkne939870n";
export const HUB = "cli_01m7yjmq0ge3bajhkne939870n";
export const TOKEN_ID = "tok_01m7yjmq0ge3bajhkne939870n";
export const TOKEN = "acc_9f8a1c70b5e24d6f8a1c70b5e24d6f00112233445566778899";
export const SERVICE = "LightColor";
export const INDEX = "0";
export const PROPERTY = "hue";

export function deviceIdOf(device: number): string {
  return `dev_01m7yjmqzqe2tb9rcrgh04v5${String(device).padStart(2, "0")}`;
}

export function edgeIdOf(device: number): string {
  return `02-FF-FF-00-00-${device.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** What the hub is asked. */
export interface CommandFrame {
  readonly at: number;
  readonly deadline: number;
  readonly id: string;
  readonly device: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly value: number;
}

/** Its answer, which it stores as a record of its history. */
export interface ResultFrame {
  readonly kind: "result";
  readonly n: number;
  readonly command: string;
  readonly device: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly requested: number;
  readonly outcome: "confirmed";
  readonly value: number;
  readonly observedAt: number;
}

/** A frame that is not as it must be ends the process: nothing is measured with it. */
export function expectFrame(isGood: boolean): void {
  if (!isGood) throw new Error("a frame is malformed");
}

export function isTarget(frame: {
  readonly device: unknown;
  readonly service: unknown;
  readonly index: unknown;
  readonly property: unknown;
}): boolean {
  const { device, service, index, property } = frame;
  return isWord(device) && isWord(service) && isWord(index) && isWord(property);
}

export function isResult(frame: ResultFrame): boolean {
  return (
    frame.kind === "result" &&
    isWord(frame.command) &&
    frame.outcome === "confirmed" &&
    Number.isFinite(frame.requested) &&
    isTarget(frame) &&
    Number.isSafeInteger(frame.n) &&
    Number.isFinite(frame.value) &&
    Number.isFinite(frame.observedAt)
  );
}

function isWord(text: unknown): boolean {
  return typeof text === "string" && text.length > 0 && text.length <= 64;
}
