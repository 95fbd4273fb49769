/** The metrics at `/metrics`, for Prometheus. Counting costs an answer next to nothing; gauges are read on each scrape. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { LOOPS, type Loop, type StoreWork } from "../store/index.ts";
import type { SeenRequest } from "./requests/request-buffer.ts";

/** Values that are read on each scrape. */
export interface MetricSources {
  /** Hubs with a tunnel here. */
  tunnels(): number;
  /** Jobs that wait to be written, and those written so far. */
  writes(): { readonly waiting: number; readonly groups: number; readonly jobs: number; readonly apart: number };
  /** Event streams open here. */
  streams(): number;
  /** Attempts to deliver webhooks so far, by result. */
  attempts(): ReadonlyMap<string, number>;
  /** Backlog of the slowest webhook, in events. */
  webhookLag(): number;
  /** Events not yet recorded as history, of the ecosystem with the largest backlog. */
  historyLag(): number;
  /** Age of the oldest event that is not recorded as history, ms. */
  historyLagMs(): number;
  /** Records that could not be processed so far, by loop. */
  setAside(): ReadonlyMap<Loop, number>;
  /** Backlog of the slowest sink, in events, and sinks whose receivers accept nothing. */
  sinkLag(): { readonly events: number; readonly failing: number };
  /** Living nodes, including this one. */
  nodes(): number;
  /** Connections closed so far because too many refusals waited. */
  cutConnections(): number;
  /** Checks that found no free file descriptor. */
  descriptorShortages(): number;
  /** Bytes of the owners' data that this node has measured, by kind. */
  storage(): Readonly<Record<string, number>>;
  /** Whether the database does this kind of work at present. */
  isAvailable(work: StoreWork): boolean;
  /** Free bytes for the service in its data folder; NaN when unknown. */
  freeBytes(): Promise<number>;
  /** When the service's own certificate expires, ms since 1970; undefined without one. */
  certificateExpiry(): number | undefined;
  /** Whether the other nodes can be reached; undefined for a single node. */
  bus(): boolean | undefined;
}

const PROPERTY_PUT = "/api/devices/:id/services/:selector";

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestDurations();
  /** Property writes to one device, by outcome. */
  readonly #commands = new Map<string, number>();
  #hasProcess = false;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    const commands = this.#commands;
    new Counter({
      name: "porchlight_commands_total",
      help: "Property writes to one device, by the error they ended with; `confirmed` without, `unanswered` when the caller had left",
      labelNames: ["result"],
      registers,
      collect() {
        this.reset();
        for (const [result, count] of commands) this.inc({ result }, count);
      },
    });
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    new Counter({
      name: "porchlight_webhook_attempts_total",
      help: "Attempts to deliver webhooks: `succeeded`, the class of another status, or `no_answer`",
      labelNames: ["result"],
      registers,
      collect() {
        this.reset();
        for (const [result, count] of sources.attempts()) this.inc({ result }, count);
      },
    });
    new Counter({
      name: "porchlight_cut_connections_total",
      help: "Connections that were ended without an answer, because too many refusals waited",
      registers,
      collect() {
        this.reset();
        this.inc(sources.cutConnections());
      },
    });
    new Counter({
      name: "porchlight_descriptor_shortages_total",
      help: "How often no file descriptor was left when the service looked, every 5 s: new connections were closed without an answer",
      registers,
      collect() {
        this.reset();
        this.inc(sources.descriptorShortages());
      },
    });
    new Gauge({
      name: "porchlight_storage_bytes",
      help: "Bytes that the data of accounts takes, of those that this node has measured since its start, by kind",
      labelNames: ["kind"],
      registers,
      collect() {
        for (const [kind, bytes] of Object.entries(sources.storage())) this.set({ kind }, bytes);
      },
    });
    gauge("porchlight_event_streams", "Event streams that are open on this node", () => sources.streams());
    gauge("porchlight_webhook_lag_events", "Events that the webhook furthest behind has not been tried with", () =>
      sources.webhookLag(),
    );
    gauge(
      "porchlight_history_lag_events",
      "Events that are not recorded as history yet, of the ecosystem furthest behind; 0 on a node that does not record",
      () => sources.historyLag(),
    );
    gauge(
      "porchlight_history_lag_seconds",
      "How long ago the oldest event was stored that is not recorded as history yet; 0 on a node that does not record",
      () => sources.historyLagMs() / 1000,
    );
    new Counter({
      name: "porchlight_records_set_aside_total",
      help: "Records that could not be processed and were set aside, by the loop that works on them",
      labelNames: ["loop"],
      registers,
      collect() {
        this.reset();
        const counts = sources.setAside();
        for (const loop of LOOPS) this.inc({ loop }, counts.get(loop) ?? 0);
      },
    });
    gauge(
      "porchlight_sink_lag_events",
      "Events that the sink furthest behind has not written, of those whose receivers answer; 0 on a node that does not deliver",
      () => sources.sinkLag().events,
    );
    gauge(
      "porchlight_sinks_failing",
      "Sinks whose receivers took nothing at the last attempt; 0 on a node that does not deliver",
      () => sources.sinkLag().failing,
    );
    gauge("porchlight_nodes", "Nodes of the service that live, as this one sees it", () => sources.nodes());
    gauge("porchlight_bus_connected", "1 while this node can reach the others; always 1 on a single node", () =>
      sources.bus() === false ? 0 : 1,
    );
    new Gauge({
      name: "porchlight_database_available",
      help: "1 while the database does this work: `reads` or `writes`; writes may fail alone, as on a full disk",
      labelNames: ["work"],
      registers,
      collect() {
        for (const work of ["reads", "writes"] as const) this.set({ work }, sources.isAvailable(work) ? 1 : 0);
      },
    });
    new Gauge({
      name: "porchlight_disk_free_bytes",
      help: "Bytes that are free for the service in its data folder",
      registers,
      async collect() {
        this.set(await sources.freeBytes());
      },
    });
    new Gauge({
      name: "porchlight_certificate_expiry_timestamp_seconds",
      help: "When the certificate of the service expires, in seconds since 1970; no sample without `tlsCert`",
      registers,
      collect() {
        const expiry = sources.certificateExpiry();
        if (expiry === undefined) this.remove();
        else this.set(expiry / 1000);
      },
    });
    gauge("porchlight_tunnels", "Hubs that are connected to this node", () => sources.tunnels());
    gauge("porchlight_write_jobs_waiting", "Jobs that wait for the write coordinator", () => sources.writes().waiting);
    gauge(
      "porchlight_write_groups",
      "Transactions of the write coordinator since the start",
      () => sources.writes().groups,
    );
    gauge("porchlight_write_jobs", "Jobs in those transactions since the start", () => sources.writes().jobs);
    gauge(
      "porchlight_write_apart",
      "Ecosystems that share no transaction now, since one that they shared has failed for them",
      () => sources.writes().apart,
    );
  }

  /** Counts an answered request. */
  observe({ method, route, status, durationMs, problem }: SeenRequest): void {
    this.#requests.observe(route, method, status, durationMs / 1000);
    if (route === PROPERTY_PUT && method === "PUT") {
      const result = problem ?? (status < 400 ? "confirmed" : "unanswered");
      this.#commands.set(result, (this.#commands.get(result) ?? 0) + 1);
    }
  }

  /** Content type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in Prometheus' format. Process metrics start with the first call. */
  async text(): Promise<string> {
    if (!this.#hasProcess) {
      this.#hasProcess = true;
      collectDefaultMetrics({ register: this.#registry });
    }
    return this.#requests.text() + (await this.#registry.metrics());
  }
}

const NAME = "porchlight_http_request_duration_seconds";
const HELP = "Requests by route and status, and how long their answers took";
/** Upper bounds, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

interface Series {
  /** Count of each bucket alone; the last counts durations above all bounds. */
  readonly counts: number[];
  sum: number;
}

/**
 * Durations of answers, as a Prometheus histogram. It counts in arrays, because the client library builds and looks up
 * a text of the labels for each answer.
 */
export class RequestDurations {
  /** By route, method and status: route patterns and HTTP terms, so that there are a few hundred at most. */
  readonly #routes = new Map<string, Map<string, Map<number, Series>>>();

  observe(route: string, method: string, status: number, seconds: number): void {
    const series = this.#series(route, method, status);
    let at = 0;
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at++;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
  }

  /** In Prometheus' text format. */
  text(): string {
    const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`];
    for (const [route, methods] of this.#routes)
      for (const [method, statuses] of methods)
        for (const [status, series] of statuses)
          lines.push(...linesOf({ method, route, status: String(status) }, series));
    return `${lines.join("\n")}\n`;
  }

  #series(route: string, method: string, status: number): Series {
    const methods = this.#routes.get(route) ?? added(this.#routes, route, new Map<string, Map<number, Series>>());
    const statuses = methods.get(method) ?? added(methods, method, new Map<number, Series>());
    return statuses.get(status) ?? added(statuses, status, noAnswers());
  }
}

function noAnswers(): Series {
  return { counts: [...BUCKETS.map(() => 0), 0], sum: 0 };
}

function added<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value);
  return value;
}

/** A bucket of the output includes the smaller ones. */
function linesOf(labels: Readonly<Record<string, string>>, { counts, sum }: Series): string[] {
  const labelText = Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
  let count = 0;
  const buckets = [...BUCKETS, "+Inf"].map((bound, at) => {
    count += counts[at] ?? 0;
    return `${NAME}_bucket{le="${bound}",${labelText}} ${count}`;
  });
  return [...buckets, `${NAME}_sum{${labelText}} ${sum}`, `${NAME}_count{${labelText}} ${count}`];
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
