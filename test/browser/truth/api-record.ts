/** What the API answers, asked again and again while pages are open: facts, each with when it was asked and answered. */
import { type Fact, keyOf } from "./contradictions.ts";
import type { WatchedHome } from "./watched-home.ts";

interface Connection {
  readonly state: string;
  readonly since: string;
  readonly lastSeenAt?: string;
}
interface Hub {
  readonly id: string;
  readonly connection: Connection;
}
interface Device {
  readonly id: string;
  readonly clientId?: string;
  readonly connection?: Connection;
}
interface Property {
  readonly property: string;
  readonly value?: unknown;
  readonly unit?: string;
}
interface Services {
  readonly deviceId: string;
  readonly services: readonly {
    readonly service: string;
    readonly index: string;
    readonly properties: readonly Property[];
  }[];
}
interface Delivery {
  readonly id: string;
  readonly state: "succeeded" | "failed" | "pending";
  readonly attempt: number;
}

/** After so long without an answer it is asked anew: a service that stands still answers nobody, ms. */
const PATIENCE = 1500;
/** Between two rounds, ms. */
const APART = 150;

const momentOf = (text: string | undefined) => String(Date.parse((text ?? "").replace(" ", "T")));

export class ApiRecord implements AsyncDisposable {
  /** By `keyOf`, oldest first; it grows. */
  readonly facts = new Map<string, Fact[]>();
  readonly #watched: WatchedHome;
  readonly #token: string;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  constructor(watched: WatchedHome, token: string) {
    this.#watched = watched;
    this.#token = token;
    this.#running = this.#run();
  }

  /** What was said of it last. */
  last(subject: string, what: string): string | undefined {
    return this.facts.get(keyOf(subject, what))?.at(-1)?.says;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#look().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, APART));
    }
  }

  async #look(): Promise<void> {
    const { home, webhookId } = this.#watched;
    const of = `environmentId=${home.environmentId}`;
    let hubs: readonly Hub[] = [];
    await this.#ask<{ items: Hub[] }>(`/api/clients?${of}`, ({ items }) => {
      hubs = items;
      const isLit = items.some(({ connection }) => connection.state === "online");
      return [{ subject: "hubs", what: "lamp", says: String(isLit) }, ...items.flatMap(factsOfHub)];
    });
    await this.#ask<{ items: Device[] }>(`/api/devices?${of}`, ({ items }) =>
      items.flatMap((each) => factsOfDevice(each, hubs)),
    );
    await this.#ask<{ items: Services[] }>(`/api/environments/${home.environmentId}/services`, ({ items }) =>
      items.flatMap(factsOfValues),
    );
    await this.#ask<{ disabled: boolean; lastDelivery?: Delivery }>(`/api/webhooks/${webhookId}`, ({ lastDelivery }) =>
      lastDelivery ? [{ subject: webhookId, what: "sending", says: howItGoes(lastDelivery) }] : [],
    );
    await this.#ask<{ items: Delivery[] }>(
      `/api/webhooks/${webhookId}/deliveries?order=newest&pageSize=50`,
      ({ items }) => items.map((each) => ({ subject: each.id, what: "sending", says: howItGoes(each) })),
    );
  }

  async #ask<T>(path: string, read: (body: T) => readonly Said[]): Promise<void> {
    const from = Date.now();
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE), this.#end.signal]);
    const headers = { authorization: `Bearer ${this.#token}` };
    const response = await fetch(`${this.#watched.home.api.base}${path}`, { headers, signal });
    if (!response.ok) return;
    const facts = read((await response.json()) as T);
    const to = Date.now();
    for (const each of facts) this.#take(each, from, to);
  }

  #take({ subject, what, says }: Said, from: number, to: number): void {
    const key = keyOf(subject, what);
    const known = this.facts.get(key) ?? [];
    this.facts.set(key, known);
    const last = known.at(-1);
    if (last?.says === says) known.splice(-1, 1, { ...last, to });
    else known.push({ says, from, to });
  }
}

interface Said {
  readonly subject: string;
  readonly what: string;
  readonly says: string;
}

function factsOfHub({ id, connection: { state, since, lastSeenAt } }: Hub) {
  const heard = lastSeenAt === undefined ? [] : [fact(id, "last heard", momentOf(lastSeenAt))];
  const silent = state === "online" ? [] : heard.map(({ says }) => fact(id, "silent since", says));
  return [fact(id, "state", state), ...heard, ...silent, ...sinceOf(id, state, since)];
}

function factsOfDevice({ id, clientId, connection }: Device, hubs: readonly Hub[]) {
  if (!connection) return [];
  const { state, since, lastSeenAt } = connection;
  // Nobody knows how a device is since its hub was heard last, and not since that was found out.
  const hub = state === "unknown" ? hubs.find((each) => each.id === clientId)?.connection.lastSeenAt : undefined;
  const heard = lastSeenAt === undefined ? [] : [fact(id, "last heard", momentOf(lastSeenAt))];
  return [fact(id, "state", state), ...heard, ...sinceOf(id, state, hub ?? since)];
}

/** Where a page does not say of which state it is, it is that of any. */
function sinceOf(subject: string, state: string, at: string) {
  return [fact(subject, `${state} since`, momentOf(at)), fact(subject, "since", momentOf(at))];
}

function factsOfValues({ deviceId, services }: Services) {
  return services.flatMap(({ service, index, properties }) =>
    properties.flatMap(({ property, value, unit }) => {
      const says = wordsOf(value, property, unit);
      return says === undefined ? [] : [fact(deviceId, `${service}:${index}.${property}`, says)];
    }),
  );
}

const YES_AND_NO: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  on: ["on", "off"],
  open: ["open", "closed"],
};

/** As people read it; undefined of what needs more words than a number or a yes. Not the portal's own: two that share words share mistakes. */
function wordsOf(value: unknown, property: string, unit: string | undefined): string | undefined {
  if (typeof value === "boolean") return YES_AND_NO[property]?.[value ? 0 : 1];
  if (typeof value !== "number") return typeof value === "string" ? value : undefined;
  if (unit === undefined) return String(value);
  return unit === "deg" ? `${value}°` : `${value} ${unit}`;
}

const fact = (subject: string, what: string, says: string) => ({ subject, what, says });

function howItGoes({ state, attempt }: Delivery): string {
  if (state === "pending" && attempt === 0) return "being sent";
  return state === "succeeded" ? "well" : "badly";
}
