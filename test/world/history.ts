/**
 * What a client was answered, what the hardware did, and whether the two can both be true. Pure: the world records, this
 * judges, and every violation is a sentence.
 */

/** One PUT as its caller saw it. Every PUT of a run asks for a value of its own, so that it can be found at the device. */
export interface Put {
  readonly device: string;
  readonly property: string;
  readonly value: number;
  /** At home: when the hub took it, because its time begins there. */
  sentAt: number;
  /** How long the caller was willing to wait, ms. */
  readonly waitMs: number;
  /** Absent without an answer: the cloud died. */
  answer?: {
    readonly at: number;
    readonly status: number;
    readonly outcome?: string;
    readonly value?: unknown;
    readonly commandId?: string;
  };
}

/** One PUT that its caller has repeated under an idempotency key, with every answer in order; undefined for no answer. */
export interface RepeatedPut {
  readonly device: string;
  readonly property: string;
  readonly value: number;
  readonly answers: ({ readonly status: number; readonly outcome?: string; readonly commandId?: string } | undefined)[];
}

/** One WRITE as the device applied it. */
export interface DeviceWrite {
  readonly device: string;
  readonly property: string;
  readonly value: unknown;
  readonly at: number;
}

/** A change at the device itself that the device reported. */
export interface DeviceChange {
  readonly device: string;
  readonly property: string;
  readonly value: unknown;
}

/** One value of an answered `refresh=true`, and between when the caller asked and was answered. */
export interface Refresh {
  readonly device: string;
  readonly property: string;
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

export interface CommandRecord {
  readonly id: string;
  readonly value: string;
  readonly state: string;
  readonly outcome: string | null;
}

export interface EventRecord {
  readonly sequence: number;
  readonly type: string;
  readonly data: string;
}

/** Commands that reach the hardware after their caller's time is over: the network may have carried the deadline this much late. */
export function judgePuts(puts: readonly Put[], writes: readonly DeviceWrite[], slackMs: number): string[] {
  const violations: string[] = [];
  for (const put of puts) {
    const applied = writes.filter(
      (write) => write.device === put.device && write.property === put.property && write.value === put.value,
    );
    const name = `PUT ${put.device} ${put.property} = ${put.value}`;
    const { answer } = put;
    if (applied.length > 1) violations.push(`${name} was carried out ${applied.length} times`);
    if (answer?.status === 200 && applied.length === 0) violations.push(`${name} was confirmed and never carried out`);
    if (answer?.status === 200 && answer.value !== put.value)
      violations.push(`${name} was confirmed with ${JSON.stringify(answer.value)}`);
    const never = answer && ["not_sent", "not_applied", "rejected"].includes(answer.outcome ?? "");
    if (never && applied.length > 0)
      violations.push(`${name} was answered ${answer.outcome} and carried out all the same`);
    const late = applied.find((write) => write.at > put.sentAt + put.waitMs + slackMs);
    if (late)
      violations.push(`${name} was carried out ${Math.round(late.at - put.sentAt - put.waitMs)} ms after its deadline`);
    if (answer && answer.status !== 200 && answer.outcome === undefined && answer.status >= 500)
      violations.push(`${name} failed with ${answer.status} and no outcome`);
  }
  return violations;
}

/** However often a write is repeated under its key, it is carried out once at most; once, when that was answered; and never, when nothing else was. */
export function judgeRepeated(
  repeated: readonly RepeatedPut[],
  writes: readonly DeviceWrite[],
  commands: readonly CommandRecord[],
): string[] {
  const outcomes = new Map(commands.map(({ id, outcome }) => [id, outcome]));
  return repeated.flatMap(({ device, property, value, answers }) => {
    const acts = writes.filter(
      (write) => write.device === device && write.property === property && write.value === value,
    ).length;
    const replies = answers.map((answer) => (answer ? `${answer.status} ${answer.outcome ?? ""}`.trim() : "no answer"));
    const name = `repeated PUT ${property} = ${value} (${replies.join(", ")})`;
    // What has no ID was stored nowhere, and never sent.
    const ids = new Set(answers.flatMap((answer) => answer?.commandId ?? []));
    const ended = [...ids].map((id) => outcomes.get(id));
    if (acts > 1) return [`${name} was carried out ${acts} times`];
    const isConfirmed = replies.includes("200") || ended.includes("confirmed");
    if (isConfirmed && acts === 0) return [`${name} was confirmed and never carried out`];
    const isOpen = isConfirmed || answers.at(-1) === undefined || ended.includes("unknown");
    return acts === 1 && !isOpen ? [`${name} was carried out, and every command of it says that it was not`] : [];
  });
}

/** Every confirmed write is in the store, and no final answer is contradicted there. */
export function judgeCommands(puts: readonly Put[], commands: readonly CommandRecord[]): string[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  return puts.flatMap((put) => {
    const { answer } = put;
    if (!answer?.commandId) return [];
    const stored = byId.get(answer.commandId);
    const name = `command ${answer.commandId} (${put.property} = ${put.value})`;
    if (answer.status === 200 && stored?.state !== "confirmed")
      return [`${name} was confirmed to its caller and is ${stored?.state ?? "missing"} in the store`];
    if (answer.outcome === "rejected" && stored && stored.state !== "rejected")
      return [`${name} was rejected and is ${stored.state} in the store`];
    return [];
  });
}

/** Sequence numbers without a gap or a repeat. */
export function judgeSequence(events: readonly EventRecord[]): string[] {
  return events.flatMap((event, index) =>
    event.sequence === index + 1 ? [] : [`event ${index + 1} has the sequence ${event.sequence}`],
  );
}

/** Each occurrence of a notify-only property became one event, in order. */
export function judgeOccurrences(
  expected: readonly unknown[],
  events: readonly EventRecord[],
  property: string,
): string[] {
  const seen = events
    .filter((event) => event.type === "property.changed")
    .map((event) => JSON.parse(event.data).item)
    .filter((item) => `${item.service}.${item.property}` === property)
    .map((item) => item.value);
  return JSON.stringify(seen) === JSON.stringify(expected)
    ? []
    : [`${property}: the device reported ${JSON.stringify(expected)}, the log has ${JSON.stringify(seen)}`];
}

/** After everything has calmed down the cloud shows what the devices have. */
export function judgeValues(devices: readonly DeviceChange[], cloud: readonly DeviceChange[]): string[] {
  const shown = new Map(cloud.map((item) => [`${item.device} ${item.property}`, item.value]));
  return devices.flatMap(({ device, property, value }) => {
    const there = shown.get(`${device} ${property}`);
    return JSON.stringify(there) === JSON.stringify(value)
      ? []
      : [`${device} ${property} is ${JSON.stringify(value)} and the cloud shows ${JSON.stringify(there)}`];
  });
}

/**
 * A refresh holds only what the device had while its caller waited.
 * @param changes of the devices, oldest first, with what they had at the beginning
 */
export function judgeRefreshes(refreshes: readonly Refresh[], changes: readonly DeviceWrite[]): string[] {
  return refreshes.flatMap(({ device, property, value, from, to }) => {
    const all = changes.filter((change) => change.device === device && change.property === property);
    const before = all.filter(({ at }) => at <= from).slice(-1);
    const had = [...before, ...all.filter(({ at }) => at > from && at <= to)].map((change) => change.value);
    return had.includes(value)
      ? []
      : [`${device} ${property} was read as ${JSON.stringify(value)} while it had ${JSON.stringify(had)}`];
  });
}

/** Every command is settled in the end, and reported as settled and as unconfirmed once at most; of each that failed there is an event. */
export function judgeSettled(commands: readonly CommandRecord[], events: readonly EventRecord[]): string[] {
  const idsOf = (type: string) =>
    events.filter((event) => event.type === type).map((event) => String(JSON.parse(event.data).id));
  const completed = idsOf("command.completed");
  const unconfirmed = idsOf("command.unconfirmed");
  const known = new Set([...completed, ...unconfirmed]);
  const failed = commands.filter(({ outcome }) => outcome !== null && outcome !== "confirmed");
  return [
    ...twice(unconfirmed).map((id) => `command ${id} was told as unconfirmed twice`),
    ...failed.filter(({ id }) => !known.has(id)).map(({ id }) => `command ${id} failed, and no event tells of it`),
    ...commands.filter(({ state }) => state === "sent").map(({ id }) => `command ${id} was never settled`),
    ...twice(completed).map((id) => `command ${id} was settled twice`),
  ];
}

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/** Of everything that was carried out the cloud has a command. */
export function judgeKnown(writes: readonly DeviceWrite[], commands: readonly CommandRecord[]): string[] {
  const known = new Set(commands.map(({ value }) => value));
  return writes.flatMap(({ property, value }) =>
    known.has(JSON.stringify(value)) ? [] : [`${property} = ${value} was carried out, and no command tells of it`],
  );
}
