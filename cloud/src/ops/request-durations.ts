/**
 * How long answers took, as a histogram of Prometheus. Its own file because it is counted here, in arrays: the client library makes a text of
 * the labels for each answer and looks it up.
 */

const NAME = "porchlight_http_request_duration_seconds";
const HELP = "Requests by route and status, and how long their answers took";
/** Upper bounds, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

interface Series {
  /** Of each bucket by itself, the last of what is longer than all. */
  readonly counts: number[];
  sum: number;
}

export class RequestDurations {
  /** By route, method and status: patterns of routes and words of HTTP, so that there are a few hundred at most. */
  readonly #routes = new Map<string, Map<string, Map<number, Series>>>();

  observe(route: string, method: string, status: number, seconds: number): void {
    const series = this.#series(route, method, status);
    let at = 0;
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at++;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
  }

  /** In the text format of Prometheus. */
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

/** A bucket counts what the smaller ones count too. */
function linesOf(labels: Readonly<Record<string, string>>, { counts, sum }: Series): string[] {
  const told = Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
  let count = 0;
  const buckets = [...BUCKETS, "+Inf"].map((bound, at) => {
    count += counts[at] ?? 0;
    return `${NAME}_bucket{le="${bound}",${told}} ${count}`;
  });
  return [...buckets, `${NAME}_sum{${told}} ${sum}`, `${NAME}_count{${told}} ${count}`];
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
