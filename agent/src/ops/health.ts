/** The problems of a hub, derived from its status alone: pure, one row per problem, for `status`, `doctor` and the watchdog. */
import { z } from "zod";
import type { AgentStatus } from "./status-schema.ts";

export interface Problem {
  readonly name: string;
  /** The problem in a sentence. */
  readonly says: string;
  /** The remedy. */
  readonly cure: string;
  /** The exit status of `status` when this is the gravest problem. */
  readonly exitStatus: number;
}

const WRONG = 1;
const NOT_ALLOWED = 4;
const OFFLINE = 6;
/** The exit status of the command is the first of these that a problem has. */
const GRAVEST_FIRST = [NOT_ALLOWED, OFFLINE, WRONG];

/** Maximum devices of one driver that are named. */
const MOST_TROUBLES = 5;
const LOOK = "Run `porchlight-agent logs --level warn`.";

/** Fields of a driver's own status, and of its supervisor's (`drivers/kit/host/supervised.ts`). */
const detail = z.looseObject({
  phase: z.string().optional(),
  driver: z.string().optional(),
  failure: z.string().optional(),
  /** Of a driver in a child: the reason why the system cannot sandbox it. */
  notSandboxed: z.string().optional(),
  /** Of a driver whose devices are behind another program: the state of that connection, and its failure. */
  broker: z.string().optional(),
  brokerFailure: z.string().optional(),
  /** Of a driver that connects to each device by itself: configured devices that it cannot reach, and remedies. */
  troubles: z.array(z.object({ says: z.string(), cure: z.string().optional() })).optional(),
});

/** All problems, the gravest first. */
export function problemsOf(status: AgentStatus): Problem[] {
  const found = [
    ...tunnelProblems(status),
    ...storeProblems(status),
    ...linkProblems(status),
    ...apiProblems(status),
    ...sceneProblems(status),
  ];
  return found.sort((a, b) => GRAVEST_FIRST.indexOf(a.exitStatus) - GRAVEST_FIRST.indexOf(b.exitStatus));
}

/** Conditions that work and should be improved; they do not change the exit status. */
export function warningsOf({ links }: AgentStatus): Pick<Problem, "name" | "says" | "cure">[] {
  return links.flatMap(({ name, detail: linkDetail }) => {
    const { data } = detail.safeParse(linkDetail);
    if (data?.notSandboxed === undefined) return [];
    return [
      {
        name: "driver_not_sandboxed",
        says: `The driver ${name} runs without its sandbox (${data.notSandboxed}): the system's sockets and processes are not hidden from it.`,
        cure: "Let the agent's user make user namespaces (docs/operations/hub.md), or remove the driver if you do not trust it.",
      },
    ];
  });
}

/** 0: no problem; 4: the hub is not paired, or not accepted; 6: offline; 1: another problem. */
export function exitStatusOfHealth(problems: readonly Problem[]): number {
  return problems[0]?.exitStatus ?? 0;
}

function* tunnelProblems({ tunnel, paired, pairing }: AgentStatus): Iterable<Problem> {
  const { state, reason, after, live } = tunnel;
  if (!paired || state === "unpaired")
    yield {
      name: "not_paired",
      says: "The hub is not paired: it works only at home.",
      cure:
        pairing?.state === "waiting"
          ? `Enter ${pairing.userCode} at ${pairing.verificationUri}.`
          : "Pair it: `porchlight-agent pair`.",
      exitStatus: NOT_ALLOWED,
    };
  else if (state === "waiting" && reason === "rejected")
    yield {
      name: "rejected",
      says: `The cloud does not accept this hub (${after}).`,
      cure: "Give it a new token, or pair it again (`porchlight-agent pair --again`). With version_unsupported, update the agent.",
      exitStatus: NOT_ALLOWED,
    };
  else if (state === "waiting" && reason === "superseded")
    yield {
      name: "superseded",
      says: "Another agent with this hub's identity is online. This agent waits, and carries out no commands of the cloud.",
      cure: "Find the copy of this data folder and stop it.",
      exitStatus: OFFLINE,
    };
  else if (state !== "online" || !live)
    yield {
      name: "offline",
      says: after === undefined ? "The hub is not online." : `The hub is not online (${after}).`,
      cure: "It keeps trying. If other devices in this home are online, run `porchlight-agent doctor`.",
      exitStatus: OFFLINE,
    };
}

function* storeProblems({ queue, disk }: AgentStatus): Iterable<Problem> {
  if (disk.short)
    yield {
      name: "disk_full",
      says: "The disk is full: the hub carries out commands, but does not accept reports from devices.",
      cure: "Free space on the disk of the data folder. The agent continues by itself.",
      exitStatus: WRONG,
    };
  if (queue.full)
    yield {
      name: "queue_full",
      says: "The queue for the cloud is full: older values are dropped, and the hub does not accept events from devices.",
      cure: "Bring the hub online, or increase `outboxBytes`.",
      exitStatus: WRONG,
    };
  if (queue.notRecorded > 0)
    yield {
      name: "history_incomplete",
      says: `History could not record ${queue.notRecorded} changes since the agent started: it shows those times as gaps.`,
      cure: "Run `porchlight-agent logs --level error`, and report what it says about history.",
      exitStatus: WRONG,
    };
}

function* apiProblems({ localApi }: AgentStatus): Iterable<Problem> {
  if (localApi?.failure !== undefined)
    yield {
      name: "api_not_served",
      says: `The API at home is not served (${localApi.failure}).`,
      cure: "Free the port, or set another address (`--api-port`, `--api-host`), and restart the agent.",
      exitStatus: WRONG,
    };
}

function* sceneProblems({ scenes }: AgentStatus): Iterable<Problem> {
  const hindrance = scenes?.hindrance;
  switch (hindrance?.kind) {
    case "clock":
      yield {
        name: "clock_not_set",
        says: "The hub does not know the time: no scene is called by a time of day or by the sun.",
        cure: "Let it reach the cloud or a time server once (systemd-timesyncd), or give it a real-time clock.",
        exitStatus: WRONG,
      };
      return;
    case "zone":
      yield {
        name: "time_zone_unknown",
        says: `This agent does not know the time zone ${hindrance.zone}: no scene is called by a time of day.`,
        cure: "Update the agent, or set another time zone for the environment.",
        exitStatus: WRONG,
      };
  }
}

function* linkProblems({ links }: AgentStatus): Iterable<Problem> {
  for (const { name, detail: linkDetail } of links) {
    const { data } = detail.safeParse(linkDetail);
    if (data?.driver === "failed")
      yield {
        name: "driver_failed",
        says: `The driver of ${name} has failed (${data.failure}) and is restarted.`,
        cure: "Run `porchlight-agent logs --level warn`, and report what it says about the driver.",
        exitStatus: WRONG,
      };
    else if (data?.broker === "connecting")
      yield {
        name: "broker_away",
        says: `${name}: the broker cannot be reached (${data.brokerFailure ?? "it has not answered yet"}); its devices are offline.`,
        cure: data.brokerFailure?.includes("certificate")
          ? "Check `broker` and `ca` in the settings under `drivers`."
          : "Check that it is running, and its address, user and password in the settings under `drivers`.",
        exitStatus: WRONG,
      };
    else if (data?.troubles?.length)
      yield* data.troubles.slice(0, MOST_TROUBLES).map(({ says, cure = LOOK }) => ({
        ...{ name: "device_not_had", says: `${name}: ${says}`, cure, exitStatus: WRONG },
      }));
    else if (data?.phase === "closed")
      yield {
        name: "link_down",
        says: `${name} does not exist, or cannot be opened.`,
        cure: "Check that the adapter is plugged in, and that the agent's user can open it (group dialout).",
        exitStatus: WRONG,
      };
  }
}
