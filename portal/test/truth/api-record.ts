/**
 * What the API says while pages are open: facts, each with when it was asked and answered. It is asked again and again, and what it answers
 * to the pages and sends in its stream counts too: a state that lasts for less than a round is seen by them alone.
 */
import { Porchlight, type PorchlightEvent } from "@porchlight/sdk";
import type { Page, Response } from "playwright-core";
import { type Fact, keyOf } from "./contradictions.ts";
import type { WatchedHome } from "./watched-home.ts";

interface Connection {
  readonly state: string;
  readonly since: string;
  readonly lastSeenAt?: string | undefined;
}
interface Hub {
  readonly id: string;
  readonly connection: Connection;
}
interface Device {
  readonly id: string;
  readonly clientId?: string | undefined;
  readonly connection?: Connection | undefined;
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

/** After so long without an answer it is asked anew: a service that stands still does not answer, ms. */
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
  readonly #running: Promise<unknown>;
  #hubs: readonly Hub[] = [];

  constructor(watched: WatchedHome, token: string) {
    this.#watched = watched;
    this.#token = token;
    this.#running = Promise.all([this.#askAgain(), this.#listen()]);
  }

  /** What the API answered about it last. */
  last(subject: string, what: string): string | undefined {
    return this.facts.get(keyOf(subject, what))?.at(-1)?.says;
  }

  /** What the API answers to this page is noted from now on. */
  follow(page: Page): void {
    page.on("response", (response) => {
      const at = Date.now();
      const read = response.ok() ? this.#readerOf(new URL(response.url()).pathname) : undefined;
      if (read) void this.#note(response, read, at);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #askAgain(): Promise<void> {
    const { home, webhookId } = this.#watched;
    const of = `environmentId=${home.environmentId}`;
    const asked = [
      ...[`/api/clients?${of}`, `/api/devices?${of}`, `/api/environments/${home.environmentId}/services`],
      ...[`/api/webhooks/${webhookId}`, `/api/webhooks/${webhookId}/deliveries?order=newest&pageSize=50`],
    ];
    while (!this.#end.signal.aborted) {
      for (const path of asked) await this.#ask(path).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, APART));
    }
  }

  async #ask(path: string): Promise<void> {
    const { base } = this.#watched.home.api;
    const from = Date.now();
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE), this.#end.signal]);
    const response = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${this.#token}` }, signal });
    if (!response.ok) return;
    const facts = this.#readerOf(new URL(path, base).pathname)?.(await response.json()) ?? [];
    const to = Date.now();
    for (const each of facts) this.#take(each, from, to);
  }

  async #note(response: Response, read: Reader, at: number): Promise<void> {
    // A page that is left has no bodies any more.
    const body: unknown = await response.json().catch(() => undefined);
    if (body !== undefined) for (const each of read(body)) this.#take(each, at, at);
  }

  async #listen(): Promise<void> {
    const { signal } = this.#end;
    const porchlight = new Porchlight({ baseUrl: this.#watched.home.api.base, token: this.#token });
    try {
      for await (const item of porchlight.events({ signal }))
        if (item.kind === "event")
          for (const each of this.#ofEvent(item.event)) this.#take(each, Date.now(), Date.now());
    } catch (failure) {
      if (!signal.aborted) throw failure;
    }
  }

  #ofEvent(event: PorchlightEvent): readonly Statement[] {
    switch (event.type) {
      case "hub.online":
      case "hub.offline":
        return factsOfHub(event.data);
      case "device.online":
      case "device.offline":
        return factsOfDevice(event.data, this.#hubs);
      default:
        return [];
    }
  }

  /** How an answer is read; undefined of what no page says anything of. */
  #readerOf(path: string): Reader | undefined {
    const { webhookId } = this.#watched;
    if (path === "/api/clients") return (body) => this.#ofHubs(itemsOf<Hub>(body));
    if (/^\/api\/clients\/[^/]+$/.test(path)) return (body) => factsOfHub(body as Hub);
    if (path === "/api/devices")
      return (body) => itemsOf<Device>(body).flatMap((each) => factsOfDevice(each, this.#hubs));
    if (/^\/api\/devices\/[^/]+$/.test(path)) return (body) => factsOfDevice(body as Device, this.#hubs);
    if (/^\/api\/environments\/[^/]+\/services$/.test(path))
      return (body) => itemsOf<Services>(body).flatMap(factsOfValues);
    if (path === `/api/webhooks/${webhookId}`) {
      return (body) => {
        const { lastDelivery } = body as { lastDelivery?: Delivery };
        return lastDelivery ? [fact(webhookId, "sending", howItGoes(lastDelivery))] : [];
      };
    }
    if (path === `/api/webhooks/${webhookId}/deliveries`)
      return (body) => itemsOf<Delivery>(body).map((each) => fact(each.id, "sending", howItGoes(each)));
    return undefined;
  }

  #ofHubs(hubs: readonly Hub[]): readonly Statement[] {
    this.#hubs = hubs;
    const isLit = hubs.some(({ connection }) => connection.state === "online");
    return [fact("hubs", "lamp", String(isLit)), ...hubs.flatMap(factsOfHub)];
  }

  #take({ subject, what, says }: Statement, from: number, to: number): void {
    const key = keyOf(subject, what);
    const known = this.facts.get(key) ?? [];
    this.facts.set(key, known);
    const last = known.at(-1);
    if (last?.says === says) known.splice(-1, 1, { ...last, to: Math.max(last.to, to) });
    else known.push({ says, from, to });
  }
}

type Reader = (body: unknown) => readonly Statement[];

const itemsOf = <T>(body: unknown): readonly T[] => (body as { items: readonly T[] }).items;

interface Statement {
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
  // The state of a device is unknown since its hub was heard last, and not since that was found out.
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
