/** The alert rules of the cloud, as Prometheus's own `promtool` judges them: their syntax, and of each rule what makes it fire and what does not. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { ROOT } from "../../test/parts/program.ts";
import { runTool } from "./tool.fixture.ts";

const RULES = join(ROOT, "packaging/cloud/prometheus-alerts.yaml");
/** When each rule is looked at: later than any of them waits. */
const AT = "90m";

/** Series in the notation of promtool, a value a minute: `0x90` is 0 and 90 times the same. */
type Series = Readonly<Record<string, string>>;

const instance = (name: string, labels = "") => `${name}{job="porchlight",instance="a"${labels && `,${labels}`}}`;
const other = (name: string) => `${name}{job="porchlight",instance="b"}`;
const gauge = (name: string, fires: string, quiet: string, labels = "") => ({
  fires: { [instance(name, labels)]: fires },
  quiet: { [instance(name, labels)]: quiet },
});
const REQUESTS = "porchlight_http_request_duration_seconds_count";
const reads = (status: number) => instance(REQUESTS, `method="GET",route="/api/devices",status="${status}"`);

const CASES: Readonly<Record<string, { readonly fires: Series; readonly quiet: Series }>> = {
  PorchlightNodeDown: gauge("up", "1x60 0x40", "1x100"),
  PorchlightNodeLost: {
    fires: { [instance("porchlight_nodes")]: "2x60 1x40", [other("porchlight_nodes")]: "2x60" },
    quiet: { [instance("porchlight_nodes")]: "2x100", [other("porchlight_nodes")]: "2x100" },
  },
  PorchlightBusDisconnected: gauge("porchlight_bus_connected", "1x85 0x10", "1x100"),
  // The first of a route, and a later one.
  PorchlightInternalErrors: { fires: { [reads(500)]: "_x86 1x10" }, quiet: { [reads(500)]: "1x100" } },
  PorchlightReadsFail: {
    fires: { [reads(503)]: "0+6x100", [reads(200)]: "0+94x100" },
    quiet: { [reads(503)]: "0+4x100", [reads(200)]: "0+96x100" },
  },
  PorchlightHubsLost: {
    fires: { [instance("porchlight_tunnels")]: "50x100", [other("porchlight_tunnels")]: "50x85 0x10" },
    // One node hands its hubs over to the other and gets some back.
    quiet: { [instance("porchlight_tunnels")]: "50x82 100x3 60x10", [other("porchlight_tunnels")]: "50x82 0x3 40x10" },
  },
  PorchlightHubsUneven: {
    fires: {
      ...{ [instance("porchlight_tunnels")]: "300x100", [other("porchlight_tunnels")]: "100x100" },
      [instance("porchlight_nodes")]: "2x100",
    },
    quiet: {
      ...{ [instance("porchlight_tunnels")]: "300x100", [other("porchlight_tunnels")]: "200x100" },
      [instance("porchlight_nodes")]: "2x100",
    },
  },
  PorchlightLoopBlocked: gauge("nodejs_eventloop_lag_max_seconds", "0.01x80 0.8x20", "0.01x88 0.8 0.01x10"),
  PorchlightFloodCut: gauge("porchlight_cut_connections_total", "0x87 5x10", "5x100"),
  PorchlightFileDescriptors: {
    fires: { [instance("process_open_fds")]: "900x100", [instance("process_max_fds")]: "1024x100" },
    quiet: { [instance("process_open_fds")]: "700x100", [instance("process_max_fds")]: "1024x100" },
  },
  // Time begins at 0 here: 13 and 15 days after the current time.
  PorchlightCertificateExpires: gauge(
    "porchlight_certificate_expiry_timestamp_seconds",
    `${13 * 86_400}x100`,
    `${15 * 86_400}x100`,
  ),
  PorchlightDatabaseAway: gauge("porchlight_database_available", "1x85 0x10", "1x100", 'work="writes"'),
  PorchlightWritesWait: gauge("porchlight_write_jobs_waiting", "3x100", "3x87 0 3x10"),
  PorchlightWritesApart: gauge("porchlight_write_apart", "1x100", "1x80 0 1x15"),
  PorchlightDiskLow: gauge("porchlight_disk_free_bytes", "1000000000x100", "3000000000x100"),
  PorchlightDiskFull: gauge("porchlight_disk_free_bytes", "100000000x100", "1000000000x100"),
  PorchlightHistoryBehind: gauge("porchlight_history_lag_seconds", "2x80 400x15", "2x100"),
  PorchlightRecordsSetAside: gauge("porchlight_records_set_aside_total", "0x60 1x40", "1x100", 'loop="history"'),
  PorchlightWebhooksBehind: gauge("porchlight_webhook_lag_events", "5000x100", "5000x80 0 5000x15"),
  PorchlightSinksBehind: gauge("porchlight_sink_lag_events", "20000x100", "20000x80 0 20000x15"),
  PorchlightSinksFail: gauge("porchlight_sinks_failing", "5x100", "1x100"),
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-alerts-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A test of promtool: whether a rule fires on these series. */
function caseOf(name: string, series: Series, firing: boolean) {
  const expr = `count(ALERTS{alertname="${name}",alertstate="firing"})`;
  return {
    name: `${name} ${firing ? "fires" : "is quiet"}`,
    interval: "1m",
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    promql_expr_test: [{ expr, eval_time: AT, exp_samples: firing ? [{ labels: "{}", value: 1 }] : [] }],
  };
}

function judged(tests: readonly unknown[]) {
  const file = join(folder, "cases.yaml");
  writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: "1m", tests }));
  return runTool("promtool", ["test", "rules", file]);
}

test("the rules are valid for Prometheus", async () => {
  expect(await runTool("promtool", ["check", "rules", RULES])).toMatchObject({ status: 0 });
});

test("each rule has a case, fires when it must, and stays quiet when it must", async () => {
  const { groups }: { groups: { rules: { alert: string }[] }[] } = parse(readFileSync(RULES, "utf8"));
  expect(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort()).toEqual(Object.keys(CASES).sort());
  const tests = Object.entries(CASES).flatMap(([name, { fires, quiet }]) => [
    caseOf(name, fires, true),
    caseOf(name, quiet, false),
  ]);
  expect(await judged(tests)).toMatchObject({ status: 0, output: expect.stringContaining("SUCCESS") });
});

test("promtool finds a rule that does not fire", async () => {
  const { status } = await judged([caseOf("PorchlightNodeDown", { [instance("up")]: "1x100" }, true)]);
  expect(status).not.toBe(0);
});
