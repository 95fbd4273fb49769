/** Every command of the agent that prints text of devices, drivers, packages or the cloud: none of it moves the operator's terminal or forges a row. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, seededRandom, silentLog, systemClock } from "@porchlight/shared/kernel";
import type { HubDriver, HubSetup, MatterBridge } from "@porchlight/shared/model";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tarballOf } from "../drivers/packages/tarball.fixture.ts";
import { type Answers, AskRefused, ControlSocket } from "../ops/control-socket.ts";
import { STATUS } from "../ops/status.fixture.ts";
import type { AgentStatus } from "../ops/status-schema.ts";
import { runProgram } from "./program.ts";

/** A control sequence of each kind, line ends with a forged row behind them, marks of direction, and what is invisible. */
const HOSTILE =
  "a\u001b[2J\u001b]0;t\u0007b\u009b1m\u0085FORGED\nFORGED  row\r\nFORGED\rFORGED\u2028FORGED\u202ec\u2066d\u200e\u200be\ufeff";
/** The same where at most 64 characters are allowed. */
const SHORT = "a\u001b[2J\u009b1m\nFORGED row\rFORGED\u202eb\u200b";
const FORBIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u;
const LAMP = "00-1B-44-11-3A-B7";

const DRIVER: HubDriver = {
  name: HOSTILE,
  state: "failed",
  problem: HOSTILE,
  devices: 1,
  found: [
    {
      edgeId: LAMP,
      name: HOSTILE,
      manufacturer: HOSTILE,
      model: HOSTILE,
      services: [SHORT],
      admission: "not_admitted",
    },
  ],
  unpaired: [{ name: HOSTILE, address: HOSTILE, missing: HOSTILE, setup: SHORT }],
  setups: [{ kind: SHORT, title: HOSTILE }],
};
const HUB: AgentStatus = {
  ...STATUS,
  cloud: HOSTILE,
  version: HOSTILE,
  edgeId: HOSTILE,
  tunnel: { ...STATUS.tunnel, state: "waiting", reason: HOSTILE, after: HOSTILE, counts: { [HOSTILE]: 1 } },
  disk: { ...STATUS.disk, damaged: [HOSTILE] },
  scenes: { stored: 1, timed: 1, called: 0, refused: 0, hindrance: { kind: "zone", zone: HOSTILE } },
  localApi: { failure: HOSTILE },
  devices: [{ edgeId: LAMP, name: HOSTILE, transport: HOSTILE, live: true }],
  drivers: [DRIVER],
  links: [{ name: HOSTILE, detail: { [HOSTILE]: [HOSTILE] } }],
};
const BRIDGE: MatterBridge = {
  state: "waiting",
  qrCode: HOSTILE,
  manualCode: "3\u001b4\nFORGED",
  devices: 1,
  controllers: [{ vendorId: 65_521, label: SHORT }],
};
const SETUP: HubSetup = {
  ...{ id: "setup_1", kind: "zigbee", title: HOSTILE, driver: HOSTILE, text: HOSTILE },
  ...{ state: "running", found: [{ name: HOSTILE }], version: 1 },
};
const TOKENS = [{ id: HOSTILE, label: HOSTILE, createdAt: HOSTILE }];
const RELEASE = { isOver: true, text: HOSTILE, bound: 2, released: 1, mustBeReset: [{ edgeId: LAMP, name: HOSTILE }] };

let data = "";
let sent: unknown[] = [];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "porchlight-text-"));
  sent = [];
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Waits for nothing but answers. */
const clock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  timer: (name, ms, fire) => systemClock.timer(name, name === "the agent's answer" ? ms : 0, fire),
};

/** A hub that says the worst that it can. */
function hostileHub(more: Answers = {}): Answers {
  const setups: HubSetup[] = [
    {
      ...SETUP,
      state: "asking",
      version: 2,
      question: { number: 1, ask: "choice", text: HOSTILE, choices: [HOSTILE] },
    },
    { ...SETUP, text: `${HOSTILE} now`, version: 3 },
    { ...SETUP, state: "failed", version: 4 },
  ];
  return {
    status: () => HUB,
    drivers: (about) => {
      sent.push(about);
      const { ask } = about as { ask: string };
      if (ask === "drivers") return { drivers: [DRIVER], matterBridge: BRIDGE };
      return { setup: ask === "setup start" ? SETUP : (setups.shift() ?? SETUP) };
    },
    "token create": () => ({ ...TOKENS[0], token: HOSTILE }),
    "token list": () => TOKENS,
    release: () => RELEASE,
    ...more,
  };
}

/** What a command prints beside that hub. */
async function printed(args: readonly string[], answers: Answers = hostileHub()) {
  await using _socket = await ControlSocket.start(data, answers, silentLog);
  const output = { out: "", all: "", status: 0 };
  const write = (text: string) => {
    output.all += text;
  };
  output.status = await runProgram([...args, "--data", data], {
    ...{ clock, random: seededRandom(1), env: {} },
    out: (text) => {
      output.out += text;
      write(text);
    },
    err: write,
    prompt: async (text) => {
      write(`${text}\n`);
      return "1";
    },
    onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
  });
  return output;
}

/** Line breaks and tabs are the program's own. */
function forbiddenIn(text: string) {
  return text.replaceAll(/[\n\t]/g, "").match(FORBIDDEN);
}

function expectPrintable(text: string): void {
  // What is looked for has been printed at all, and is escaped.
  expect(text).toContain("\\u001b");
  expect(forbiddenIn(text)).toBeNull();
  expect(text.split("\n").filter((line) => line.trimStart().startsWith("FORGED"))).toEqual([]);
}

/** Two states of a pairing, the second of which ends it. */
function pairing(): () => AgentStatus {
  const asked = { state: "waiting", problem: HOSTILE, userCode: SHORT, verificationUri: HOSTILE } as const;
  const states: NonNullable<AgentStatus["pairing"]>[] = [
    { ...asked, verificationUriComplete: HOSTILE },
    { ...asked, verificationUriComplete: HOSTILE },
  ];
  return () => ({ ...HUB, pairing: states.shift() ?? { state: "paired", clientId: HOSTILE, environmentId: HOSTILE } });
}

test.for([
  [["status"], hostileHub],
  [["devices"], hostileHub],
  [["devices", "pair"], hostileHub],
  [["devices", "pair", "zigbee"], hostileHub],
  [["matter"], hostileHub],
  [["token", "create"], hostileHub],
  [["token", "list"], hostileHub],
  [["doctor", "--cloud", "http://127.0.0.1:9"], hostileHub],
  [["pair"], () => hostileHub({ status: pairing(), pair: () => ({}) })],
  [["unpair"], () => hostileHub({ unpair: () => ({ revoked: false }), status: unpaired() })],
] as const)("%s prints nothing of a device or driver that moves a cursor or forges a row", async ([args, hub]) => {
  expectPrintable((await printed(args, hub())).all);
});

/** An agent that begins anew as soon as it was asked for its status once. */
function unpaired(): () => AgentStatus {
  let asked = 0;
  return () => (asked++ === 0 ? HUB : { ...HUB, startedAt: 1, paired: false });
}

test.for([
  ["devices", "add", LAMP],
  ["devices", "admit", LAMP],
  ["identify", LAMP],
  ["token", "revoke", "tok_1"],
  ["backup", "/nowhere/at/all"],
] as const)("a refusal of the agent to %s %s is printed as one line", async (args) => {
  const refuse = () => {
    throw new AskRefused(HOSTILE, 5);
  };
  const answers = { "devices add": refuse, drivers: refuse, identify: refuse, "token revoke": refuse, backup: refuse };
  const { all, status } = await printed(args, hostileHub(answers));
  expectPrintable(all);
  expect(status).toBe(5);
});

test("a choice that is picked by its number is sent as the driver has named it", async () => {
  await printed(["devices", "pair", "zigbee"]);
  expect(sent).toContainEqual({ ask: "setup answer", id: "setup_1", number: 1, answer: HOSTILE });
});

test.for([
  [["devices", "--json"], HUB.devices],
  [["matter", "--json"], BRIDGE],
  [["token", "list", "--json"], TOKENS],
  [["token", "create", "--json"], { ...TOKENS[0], token: HOSTILE }],
  [["status", "--json"], HUB],
] as const)("%s is JSON with the names as they are, and still moves no cursor", async ([args, meant]) => {
  const { out, all } = await printed(args);
  expectPrintable(all);
  expect(out.trimEnd()).not.toContain("\n");
  const parsed: unknown = JSON.parse(out);
  if (Array.isArray(meant)) expect(parsed).toEqual(meant);
  else expect(parsed).toMatchObject(meant);
});

test("the log is printed line by line, with any text of a device in it", async () => {
  mkdirSync(join(data, "log"));
  const line = { level: 40, time: 0, pid: 1, hostname: "h", msg: HOSTILE, [HOSTILE]: HOSTILE };
  writeFileSync(join(data, "log", "agent.log"), `${JSON.stringify(line)}\nno JSON \u001b[2J\u202e\u009b\r\n`);
  const { all } = await printed(["logs"]);
  expectPrintable(all);
  expect(all.trimEnd().split("\n")).toHaveLength(2);
  const json = await printed(["logs", "--json"]);
  expectPrintable(json.all);
  expect(JSON.parse(json.out.split("\n")[0] ?? "")).toEqual(line);
});

test("packages of drivers are shown and listed without what their makers have hidden in them", async () => {
  const manifest = { name: HOSTILE, version: "1.0.0", description: HOSTILE, porchlight: { driver: 1 } };
  const file = join(data, "bad.tgz");
  writeFileSync(file, tarballOf({ path: "package.json", content: JSON.stringify(manifest) }, { path: "driver.js" }));
  const added = await printed(["drivers", "add", file]);
  expect(forbiddenIn(added.all)).toBeNull();
  writeFileSync(file, tarballOf({ path: "a\u001b\nFORGED" }));
  expectPrintable((await printed(["drivers", "add", file])).all);
  mkdirSync(join(data, "drivers", "a\u001b[2J\nFORGED"), { recursive: true });
  writeFileSync(join(data, "drivers", "a\u001b[2J\nFORGED", "package.json"), JSON.stringify(manifest));
  expectPrintable((await printed(["drivers", "list"])).all);
});
