/**
 * The answer of `why` as sentences, and its frames as tables: one place, so that portal and console use the same words. Pure.
 *
 * Invariant: a sentence states no more than the answer; what the answer marks as unknown is called unknown.
 */
import { parseTime } from "../kernel/index.ts";
import { reasonOf } from "./hub-reasons.ts";
import { type Sender, senderSubject, senderWords, shortened } from "./senders.ts";
import { calledAtHome, OUTCOME_WORDS } from "./shared-words.ts";
import { spanOf, tookOf } from "./spans.ts";
import { valueWords } from "./values.ts";

export interface WhySentence {
  /** Topic of the sentence: the value, its cause, the requested value, an obstacle, or an unknown fact. */
  readonly about: "value" | "cause" | "asked" | "obstacle" | "unknown";
  readonly text: string;
}

interface WhyWays {
  /** A time of the API in words, in the reader's zone. */
  readonly time: (at: string) => string;
  /** The property's name for people; `Switch.on` when omitted. */
  readonly property?: string | undefined;
}

export function whySentences(why: WhyFacts, ways: WhyWays): WhySentence[] {
  return [
    { about: "value", text: valueSentence(why, ways) },
    ...causeSentences(why).map((text) => ({ about: "cause" as const, text })),
    ...askedSentences(why, ways).map((text) => ({ about: "asked" as const, text })),
    ...obstacleSentences(why, ways).map((text) => ({ about: "obstacle" as const, text })),
    ...why.unknown.map(({ detail }) => ({ about: "unknown" as const, text: `Unknown: ${detail}` })),
  ];
}

const words = ({ property, unit }: WhyFacts, value: unknown) => shortened(valueWords(value, property, unit));

function valueSentence(why: WhyFacts, { time, property }: WhyWays): string {
  const { deviceName, deviceId, service, index, modifiedAt, cause } = why;
  const name = property ?? `${service}${index === "0" ? "" : `:${index}`}.${why.property}`;
  const subject = `${shortened(deviceName ?? deviceId)}: ${shortened(name)}`;
  if (cause.kind === "none") return `${subject} has no known value.`;
  const now = words(why, why.value);
  if (modifiedAt === undefined) return `${subject} is ${now}. Since when is unknown.`;
  const before = cause.previousValue === undefined ? "" : ` It was ${words(why, cause.previousValue)} before.`;
  return `${subject} is ${now} since ${time(modifiedAt)}.${before}`;
}

function causeSentences(why: WhyFacts): string[] {
  if (why.cause.kind === "none")
    return why.asked ? [] : ["The device has reported none, and no command to set it is known."];
  const { kind, command, commandId, sceneId, sceneName, sceneTrigger, by } = why.cause;
  switch (kind) {
    case "command":
      return [command ? setBy(command) : `The command ${commandId ?? ""} set it, which is not kept any more.`];
    case "scene":
      return [
        `The scene ${shortened(sceneName ?? sceneId ?? "")} set it${
          command
            ? `, called by ${senderWords(command.by) ?? "an unknown token"}${confirmed(command)}`
            : calledAtHome(sceneTrigger)
        }.`,
      ];
    case "device":
      if (command) return [`${senderSubject(command.by, "A request")} reported it, as a sensor of the device would.`];
      return ["The device itself reported the change: somebody operated it there, or it changed by itself."];
    case "local":
      return [
        by?.name === undefined
          ? "Somebody at home set it, through the hub's own API."
          : `Somebody at home set it, through the hub's own API, with the token ${shortened(by.name)}.`,
      ];
    case "refresh":
      return ["The hub read it from the device. What had changed it is unknown."];
    case "unknown":
      return ["What changed it is unknown."];
    default:
      return [`Its cause is “${kind}”, which this program does not know.`];
  }
}

function setBy(command: WhyCommandFacts): string {
  return `${senderSubject(command.by, "A command whose sender is not stored")} set it${confirmed(command)}.`;
}

function confirmed({ outcome, durationMs }: WhyCommandFacts): string {
  if (outcome !== "confirmed") return "";
  return durationMs === undefined ? ", and it was confirmed" : `, and it was confirmed in ${tookOf(durationMs)}`;
}

/** Sentences about the newest command, when it did not cause the value. */
function askedSentences(why: WhyFacts, { time }: WhyWays): string[] {
  const { asked, obstacles } = why;
  if (!asked) return [];
  const became = obstacles.find(({ kind }) => ENDS[kind] !== undefined);
  const what = `${senderSubject(asked.by, "A command whose sender is not stored")} asked for ${words(why, asked.value)} at ${time(asked.createdAt)}`;
  if (!became) return [`${what}, and it was confirmed: it was so already.`];
  const end = ENDS[became.kind]?.(became, time) ?? "";
  return [`${what}: ${end}`, ...journalSentences(asked)];
}

type Obstacle = WhyFacts["obstacles"][number];

/** Outcome of a command, by the kind of its obstacle. */
const ENDS: Readonly<Record<string, (became: Obstacle, time: WhyWays["time"]) => string>> = {
  waiting: ({ until }, time) => `it waits for the hub${until === undefined ? "" : `, until ${time(until)}`}.`,
  under_way: () => "it has been sent, and has not ended.",
  superseded: () => "it was confirmed, and the value was changed afterwards.",
  rejected: (became) => ended(became, withCode(became.detail, became.code)),
  not_sent: (became) => ended(became, became.detail),
  not_applied: (became) => ended(became, became.detail),
  unknown: (became) => ended(became, became.detail),
};

function ended({ kind }: Obstacle, because = ""): string {
  return `${OUTCOME_WORDS[kind] ?? kind}. ${because}`.trim();
}

/** The device's message as one sentence, with its code unless the message contains it. */
function withCode(detail: string | undefined, code: number | undefined): string {
  const words = (detail ?? "").replace(/(?<!\.)\.+$/, "");
  const isIncluded = code === undefined || new RegExp(`\\b${code}\\b`).test(words);
  const coded = isIncluded ? words : `${words} (code ${code})`.trim();
  return coded === "" ? "" : `${coded}.`;
}

/** Sentences about a command whose end the service does not know. */
function journalSentences({ journal, outcome, state }: WhyCommandFacts): string[] {
  if (!journal || (outcome !== "unknown" && state !== "sent")) return [];
  if (!journal.isFound) return ["The hub has no such command in its journal of the last 24 hours."];
  if (journal.outcome === undefined) return ["The hub's journal has the command, and no end of it."];
  return [`The hub's journal says: ${journal.outcome.replace("_", " ")}. ${journal.detail ?? ""}`.trim()];
}

function obstacleSentences({ obstacles, hub, answeredAt }: WhyFacts, { time }: WhyWays): string[] {
  const since = (at: string | undefined) => {
    const [from, to] = [parseTime(at ?? ""), parseTime(answeredAt)];
    const span = from === undefined || to === undefined ? "" : ` (${spanOf(Math.max(0, to - from))})`;
    return at === undefined ? "" : ` since ${time(at)}${span}`;
  };
  return obstacles.flatMap((each) => {
    const name = shortened(hub?.name ?? "of the device");
    if (each.kind === "device_offline") return [`The device is offline${since(each.since)}: its hub cannot reach it.`];
    if (each.kind !== "hub_offline") return [];
    if (each.isUnsure)
      return [
        `The service has started, and has not heard from the hub ${name} since: whether it is online is unknown.`,
      ];
    const why = each.reason === undefined ? "" : ` ${reasonOf(each.reason).says}`;
    return [`The hub ${name} is offline${since(each.since)}: the value is the last known one.${why}`];
  });
}

const HOP_NAMES: Readonly<Record<string, string>> = {
  api: "service (API)",
  node: "service (node of the hub)",
  tunnel: "tunnel, both ways",
  hub: "hub",
  device: "driver and device",
};

/** Rows with the time of each hop, in order, and the total as the last row. */
export function hopRows({
  hops = [],
  durationMs,
}: WhyCommandFacts): readonly { readonly name: string; readonly ms: number }[] {
  const rows = hops.map(({ hop, ms }) => ({ name: HOP_NAMES[hop] ?? hop, ms }));
  return rows.length > 0 && durationMs !== undefined ? [...rows, { name: "in all", ms: durationMs }] : rows;
}

export interface FrameTable {
  /** The exchange that the frames belong to. */
  readonly title: string;
  readonly rows: readonly FrameRow[];
}

interface FrameRow {
  /** Time since the first frame: `4.2 ms`. */
  readonly after: string;
  readonly direction: string;
  readonly says: string;
  /** Pairs of hex digits; ends with `…` when the frame is longer; empty for a damaged frame. */
  readonly hex: string;
}

const DIRECTIONS: Readonly<Record<string, string>> = { to_device: "to the device", from_device: "from the device" };

/** Tables of the frames that caused the value, then of the newest command; none where the hub has no frames. */
export function frameTables({ cause, asked }: Pick<WhyFacts, "cause" | "asked">): FrameTable[] {
  const { kind, command, frames } = cause;
  const ofValue = kind === "device" ? "report" : kind === "refresh" ? "reading" : "command";
  return [
    ...tableOf("Frames of the command", command?.frames),
    ...tableOf(`Frames of the ${ofValue}`, frames),
    ...tableOf("Frames of the newest command", asked?.frames),
  ];
}

function tableOf(title: string, frames: readonly WhyFrame[] = []): FrameTable[] {
  if (frames.length === 0) return [];
  const rows = frames.map(({ afterMs, direction, says, hex, bytes }) => ({
    after: tookOf(afterMs),
    direction: DIRECTIONS[direction] ?? direction,
    says,
    hex: `${(hex.match(/../g) ?? []).join(" ")}${hex.length < 2 * bytes ? " …" : ""}`,
  }));
  return [{ title, rows }];
}

/** The part of a `why` answer that sentences need: declared here because this module ranks below the API's schemas. */
interface WhyFrame {
  readonly afterMs: number;
  readonly direction: string;
  readonly bytes: number;
  readonly hex: string;
  readonly says: string;
}

export interface WhyCommandFacts {
  readonly id: string;
  readonly value: unknown;
  readonly state: string;
  readonly outcome?: string | undefined;
  readonly createdAt: string;
  readonly by?: Sender | undefined;
  readonly isReport?: true | undefined;
  readonly durationMs?: number | undefined;
  readonly hops?: readonly { readonly hop: string; readonly ms: number }[] | undefined;
  readonly journal?:
    | { readonly isFound: boolean; readonly outcome?: string | undefined; readonly detail?: string | undefined }
    | undefined;
  readonly frames?: readonly WhyFrame[] | undefined;
}

export interface WhyFacts {
  readonly deviceId: string;
  readonly deviceName?: string | undefined;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly unit?: string | undefined;
  readonly value?: unknown;
  readonly modifiedAt?: string | undefined;
  readonly answeredAt: string;
  readonly cause: {
    readonly kind: string;
    readonly at?: string | undefined;
    readonly previousValue?: unknown;
    readonly commandId?: string | undefined;
    readonly sceneId?: string | undefined;
    readonly sceneName?: string | undefined;
    readonly sceneTrigger?: string | undefined;
    readonly by?: Sender | undefined;
    readonly command?: WhyCommandFacts | undefined;
    readonly frames?: readonly WhyFrame[] | undefined;
  };
  readonly asked?: WhyCommandFacts | undefined;
  readonly obstacles: readonly {
    readonly kind: string;
    readonly since?: string | undefined;
    readonly until?: string | undefined;
    readonly reason?: string | undefined;
    readonly isUnsure?: true | undefined;
    readonly detail?: string | undefined;
    readonly code?: number | undefined;
  }[];
  readonly unknown: readonly { readonly about: string; readonly detail: string }[];
  readonly hub?: { readonly name: string } | undefined;
}
