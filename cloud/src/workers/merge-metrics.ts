/** One page of metrics of the pages of several workers, each sample with the label of its worker: pure. */

const HELP = /^# HELP (\S+) /;
const NAME = /^[\w:]+/;

interface Family {
  /** What is said of it once: its help and its type. */
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Prometheus wants all samples of a name together, with one help and one type before them.
 * @param pages in the text format of Prometheus, by worker
 */
export function mergeMetrics(pages: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>();
  for (const [worker, page] of pages) {
    let current: Family | undefined;
    let isFirst = false;
    for (const line of page.split("\n")) {
      const [, name] = HELP.exec(line) ?? [];
      if (name !== undefined) {
        isFirst = !families.has(name);
        current = families.get(name) ?? { head: [], samples: [] };
        families.set(name, current);
      }
      if (current === undefined || line === "") continue;
      if (!line.startsWith("#")) current.samples.push(labelled(line, worker));
      else if (isFirst) current.head.push(line);
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join("\n")}\n`).join("\n");
}

/** A sample with one more label, before those that it has. */
function labelled(sample: string, worker: string): string {
  const [name = ""] = NAME.exec(sample) ?? [];
  const rest = sample.slice(name.length);
  const label = `worker="${worker}"`;
  return rest.startsWith("{") ? `${name}{${label},${rest.slice(1)}` : `${name}{${label}}${rest}`;
}
