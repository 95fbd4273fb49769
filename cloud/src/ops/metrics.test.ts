/** What `/metrics` answers, what its page for operators documents, and what the dashboard asks for: three lists of one thing. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestCloud } from "../app.fixture.ts";
import { StoreAway } from "../store/sql/refusal.ts";

interface Metric {
  readonly name: string;
  readonly kind: string;
  /** Undefined when it has no sample: then they are unknown. */
  readonly labels: readonly string[] | undefined;
}

const OWN = /^porchlight_/;
const PARTS = /_(bucket|sum|count)$/;
let cloud: TestCloud;
let metrics: ReadonlyMap<string, Metric>;
beforeAll(async () => {
  cloud = await TestCloud.start();
  const home = await cloud.home();
  const absent = "/api/devices/dev_00000000000000000000000000/services/Switch.on";
  await cloud.call("PUT", absent, { token: home.token, body: { value: true } });
  metrics = readMetrics((await cloud.send({ method: "GET", url: "/metrics", headers: {} })).text);
});
afterAll(() => cloud[Symbol.asyncDispose]());

function readMetrics(text: string): ReadonlyMap<string, Metric> {
  const samples = Map.groupBy(
    text.matchAll(/^([a-z_0-9]+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm),
    ([, name]) => name,
  );
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Map(
    kinds.map(([, name = "", kind = ""]) => {
      const lines = samples.get(name);
      const labels = lines?.flatMap(([, , inside = ""]) =>
        [...inside.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
      );
      const own = labels && [...new Set(labels)].filter((label) => label !== "le").sort();
      return [name, { name, kind, labels: own }];
    }),
  );
}

function file(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
}

it("is documented, each metric with its kind and its labels, and nothing that is not there", () => {
  const rows = [
    ...file("docs/operations/monitoring.md").matchAll(/^\| `(porchlight_(?!agent)\w+)` \| (\w+) \|(.*?)\| .+ \|$/gm),
  ];
  const documented = rows.map(([, name = "", kind = "", labels = ""]) => {
    const known = metrics.get(name)?.labels;
    const labelNames = [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label).sort();
    return { name, kind, labels: known && labelNames };
  });
  const byName = (one: Metric, other: Metric) => (one.name < other.name ? -1 : 1);
  const own = [...metrics.values()].filter(({ name }) => OWN.test(name));
  expect(own.length).toBeGreaterThan(8);
  expect(documented.sort(byName)).toEqual(own.sort(byName));
});

/** The metrics that a question to Prometheus names, each as it is declared. */
function asked(question: string): readonly string[] {
  const names = [...question.matchAll(/\b(?:porchlight|process|nodejs)_\w+/g)].map(([name]) => name);
  return names.flatMap((name) => {
    const whole = metrics.get(name.replace(PARTS, ""))?.kind === "histogram" ? name.replace(PARTS, "") : name;
    expect([...metrics.keys()], question).toContain(whole);
    const labels = [...question.matchAll(/by \(([^)]*)\)/g)].flatMap(([, inside = ""]) => inside.split(", "));
    const known = metrics.get(whole)?.labels;
    if (known && names.length === 1) expect(["le", "job", ...known], question).toEqual(expect.arrayContaining(labels));
    return [whole];
  });
}

it("has the state of the database, the disk and the certificate for alert rules", async () => {
  await using full = await TestCloud.start();
  const text = async () => (await full.send({ method: "GET", url: "/metrics", headers: {} })).text;
  const available = async () =>
    [...(await text()).matchAll(/^porchlight_database_available\{work="(\w+)"\} (\d)$/gm)].map(([, ...found]) =>
      found.join(" "),
    );
  expect(await available()).toEqual(["reads 1", "writes 1"]);
  full.storeFault.error = new StoreAway(new Error("the disk is full"));
  const body = { email: "away@example.com", password: "a long enough password" };
  expect((await full.call("POST", "/api/accounts", { body })).status).toBe(503);
  // The page is made once a second.
  await full.clock.advance(1000);
  expect(await available()).toEqual(["reads 0", "writes 0"]);
  full.storeFault.error = undefined;
  expect(Number(/^porchlight_disk_free_bytes (\S+)$/m.exec(await text())?.[1])).toBeGreaterThan(0);
  expect(await text()).not.toMatch(/^porchlight_certificate_expiry_timestamp_seconds /m);
});

it("is what the dashboard asks for: every name is one that is answered, and each of ours is shown", () => {
  const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
    file("packaging/cloud/grafana-dashboard.json"),
  );
  const questions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const shown = new Set(questions.flatMap(asked));
  expect([...shown].filter((name) => OWN.test(name)).sort()).toEqual(
    [...metrics.keys()].filter((name) => OWN.test(name)).sort(),
  );
});

it("is what the alert rules ask for, and each rule is documented with its severity", () => {
  const [, ...rules] = file("packaging/cloud/prometheus-alerts.yaml")
    .replaceAll(/^ *#.*$/gm, "")
    .split("- alert: ");
  expect(rules.flatMap(asked).length).toBeGreaterThan(rules.length - 2);
  const rows = file("docs/operations/monitoring.md").matchAll(/^\| `(Porchlight\w+)` \| (\w+) \| .+ \|$/gm);
  expect([...rows].map(([, alert, severity]) => [alert, severity])).toEqual(
    rules.map((rule) => [/^\w+/.exec(rule)?.[0], /severity: (\w+)/.exec(rule)?.[1]]),
  );
});
