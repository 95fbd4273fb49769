/** All commands of `porchlight-agent`: a file of their own, so that `run` is loaded without the others. */

import { readFileSync } from "node:fs";
import { sleep } from "@porchlight/shared/kernel";
import { driverAnswer, type MatterBridge, printableValue } from "@porchlight/shared/model";
import { matterVendor } from "@porchlight/shared/names";
import { z } from "zod";
import { tokenFile } from "../config/index.ts";
import {
  type Check,
  examine,
  exitStatusOfHealth,
  isLevel,
  LEVELS,
  LogReader,
  logLine,
  problemsOf,
  readStatus,
  statusText,
  warningsOf,
} from "../ops/index.ts";
import { qrCode } from "../pairing/index.ts";
import { addBackup, addRestore, askExactly, askRunning, SILENCES } from "./backup.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder, type Surroundings } from "./command.ts";
import { addDevices } from "./devices.ts";
import { addDrivers } from "./drivers.ts";
import { addPair, addUnpair } from "./pair.ts";
import { addRun } from "./run.ts";
import { runSettings, withRunFlags } from "./run-flags.ts";

/** `porchlight-agent matter`: shows the pairing code of this hub's Matter bridge, and the controllers paired with it. */
const addMatter: AddCommand = (program, around) => {
  onDataFolder(program.command("matter"), around)
    .description("show the code with which a Matter controller is paired with this hub, and which controllers are")
    .option("--json", "print JSON")
    .action(async ({ data, json }: { readonly data: string; readonly json?: boolean }) => {
      const bridge = await bridgeOf(data, around);
      around.out(
        json ? `${JSON.stringify(bridge)}\n` : bridgeText(printableValue(bridge), process.stdout.isTTY === true),
      );
    });
};

/** @throws CommandFailed when no bridge has reported its state */
async function bridgeOf(data: string, around: Surroundings): Promise<MatterBridge> {
  const { data: answer } = driverAnswer.safeParse(
    await askExactly(data, { ask: "drivers", about: { ask: "drivers" } }, around),
  );
  if (!answer || !("drivers" in answer))
    throw new CommandFailed("an agent of another version runs on this data folder: restart it");
  if (answer.matterBridge) return answer.matterBridge;
  throw new CommandFailed(
    "no Matter bridge runs on this hub: install porchlight-matter-bridge, or see journalctl -u porchlight-matter-bridge",
    EXIT.offline,
  );
}

/** @param isTerminal whether the output can show a QR code */
export function bridgeText(
  { qrCode: text, manualCode, devices, controllers }: MatterBridge,
  isTerminal: boolean,
): string {
  const shown = devices === 1 ? "1 device is shown" : `${devices} devices are shown`;
  const code = text === undefined || manualCode === undefined ? [] : codeLines(text, manualCode, isTerminal);
  const paired = controllers.map(({ vendorId, label }) => {
    const vendor = matterVendor(vendorId) ?? `vendor ${vendorId}`;
    return `  ${label === "" ? vendor : `${vendor}, ${label}`}`;
  });
  const next = "To add another controller, share this bridge from the app of one that has it.";
  const list = paired.length === 0 ? [] : ["controllers:", ...paired, "", next];
  return `${[...code, shown, ...list].join("\n")}\n`;
}

function codeLines(text: string, manualCode: string, isTerminal: boolean): string[] {
  const digits = manualCode.replace(/^(\d{4})(\d{3})(\d{4})$/, "$1-$2-$3");
  return [...(isTerminal ? [qrCode(text)] : []), `code: ${digits}`, `QR:   ${text}`, ""];
}

/** A token as the agent lists it. */
const shown = z.object({ id: z.string(), label: z.string(), createdAt: z.string() });
const made = shown.extend({ token: z.string() });

interface Given {
  readonly data: string;
  readonly json?: boolean;
}

/** `porchlight-agent token`: creates, lists and revokes the tokens with which programs in the home use the hub's own API. */
const addToken: AddCommand = (program, around) => {
  const { out, err } = around;
  const token = program.command("token").description("manage tokens of the API at home");
  onDataFolder(token.command("create"), around)
    .description("create a token; it is shown only once")
    .option("--name <name>", "name of the token", "")
    .option("--json", "print JSON")
    .action(async ({ data, name, json }: Given & { readonly name: string }) => {
      const ask = json ? askExactly : askRunning;
      const answer = understood(made, await ask(data, { ask: "token create", about: { label: name } }, around));
      out(`${json ? JSON.stringify(answer) : answer.token}\n`);
      if (!json)
        err(
          `The ID of this token is ${answer.id}. The token is shown only now. It can do everything that a user of the home can do.\n`,
        );
    });
  onDataFolder(token.command("list"), around)
    .description("list the tokens, oldest first")
    .option("--json", "print JSON")
    .action(async ({ data, json }: Given) => {
      const ask = json ? askExactly : askRunning;
      const answer = understood(z.array(shown), await ask(data, { ask: "token list" }, around));
      const lines = answer.map(({ id, createdAt, label }) => `${id}  ${createdAt}  ${label}`.trimEnd());
      out(json ? `${JSON.stringify(answer)}\n` : lines.map((line) => `${line}\n`).join(""));
    });
  onDataFolder(token.command("revoke <id>"), around)
    .description("revoke a token at once")
    .action(async (id: string, { data }: Given) => {
      await askRunning(data, { ask: "token revoke", about: { id } }, around);
      out(`${id} is revoked\n`);
    });
};

/** @throws CommandFailed when the answer does not match the schema */
function understood<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new CommandFailed("an agent of another version runs on this data folder: restart it");
  return parsed.data;
}

/** The options of `logs`. */
interface Options {
  readonly data: string;
  readonly follow?: boolean;
  readonly lines: string;
  readonly level: string;
  readonly json?: boolean;
}

/** How often the command checks for new lines, ms. */
const LOOK_MS = 250;

/** `porchlight-agent logs`: prints the agent's own log files as text, and follows them. */
const addLogs: AddCommand = (program, around) => {
  onDataFolder(program.command("logs"), around)
    .description("show the newest lines of the agent's log")
    .option("-f, --follow", "follow new lines")
    .option("-n, --lines <count>", "number of lines", "100")
    .option("--level <level>", `least level: ${LEVELS.join(", ")}`, "info")
    .option("--json", "print the JSON lines as written")
    .action((options: Options) => logs(options, around));
};

async function logs({ data, follow, lines, level, json }: Options, around: Surroundings): Promise<void> {
  if (!isLevel(level)) throw new CommandFailed(`--level must be one of ${LEVELS.join(", ")}`, EXIT.failed);
  const last = Number(lines);
  if (!Number.isInteger(last) || last < 0) throw new CommandFailed("--lines must be a whole number", EXIT.failed);
  const reader = new LogReader(data);
  const say = (raw: string) => {
    const line = logLine(raw, level);
    if (line !== undefined) around.out(json ? `${raw}\n` : `${line}\n`);
  };
  const past = reader.read();
  if (past.length === 0 && !follow)
    throw new CommandFailed("this folder has no log: the agent has not run, or `logBytes` is 0", EXIT.notFound);
  for (const raw of past.filter((line) => logLine(line, level) !== undefined).slice(last === 0 ? past.length : -last))
    say(raw);
  while (follow) {
    await sleep(around.clock, "more log", LOOK_MS);
    for (const raw of reader.read()) say(raw);
  }
}

/** `porchlight-agent status`: asks the running agent for its status. The exit status reflects its health. */
const addStatus: AddCommand = (program, around) => {
  onDataFolder(program.command("status"), around)
    .description("show what the running agent does; the exit status is its health")
    .option("--json", "print JSON")
    .action((options) => status(options, around));
};

async function status(options: { readonly data: string; readonly json?: boolean }, around: Surroundings) {
  const { clock, out, err, endWith } = around;
  const answer = await readStatus(options.data, clock);
  if (answer.kind !== "running") {
    if (options.json) out(`${JSON.stringify({ state: answer.kind })}\n`);
    else err(`${SILENCES[answer.kind]}\n`);
    endWith(EXIT.offline);
    return;
  }
  const problems = problemsOf(answer.status);
  const warnings = warningsOf(answer.status);
  if (options.json) out(`${JSON.stringify({ ...answer.status, problems, warnings })}\n`);
  else out(statusText(printableValue(answer.status), printableValue([...problems, ...warnings]), clock.now()));
  endWith(exitStatusOfHealth(problems));
}

/** Width of the longest verdict. */
const WIDTH = "warning".length;

/** `porchlight-agent doctor`: checks everything that a hub needs, and explains how to fix each problem. */
const addDoctor: AddCommand = (program, around) => {
  withRunFlags(program.command("doctor"))
    .description("check everything that this hub needs, and say how to fix it; exit status 1 when a check failed")
    .option("--json", "print JSON")
    .action(async ({ json, ...flags }: Record<string, unknown>) => {
      const checks: Check[] = [];
      for await (const check of examine(runSettings(flags, around), around.clock)) {
        checks.push(check);
        if (!json) around.out(lines(printableValue(check)));
      }
      if (json) around.out(`${JSON.stringify(checks)}\n`);
      if (checks.some(({ verdict }) => verdict === "failed")) around.endWith(EXIT.failed);
    });
};

function lines({ name, verdict, says, cure }: Check): string {
  const margin = " ".repeat(WIDTH + 2);
  return `${verdict.padEnd(WIDTH)}  ${name}: ${says}\n${cure === undefined ? "" : `${margin}${cure}\n`}`;
}

/** `porchlight-agent check-config`: checks the settings, so that errors show before a restart. */
const addCheckConfig: AddCommand = (program, around) => {
  withRunFlags(program.command("check-config"))
    .description("check the settings of `run`")
    .action((flags) => {
      const settings = runSettings(flags, around);
      tokenFile(settings).read();
      if (settings.ca !== undefined) certificates(settings.ca);
      around.out("the settings are valid\n");
    });
};

function certificates(path: string): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (failure) {
    throw new CommandFailed(`the CA file ${path} cannot be read (${(failure as NodeJS.ErrnoException).code})`);
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new CommandFailed(`the CA file ${path} contains no certificate`, EXIT.refused);
}

/** Long enough for all tries of a device, each with its timeout. */
const WITHIN_MS = 15_000;

/** `porchlight-agent identify`: makes a device show itself, so that a user can recognize it among similar ones. */
const addIdentify: AddCommand = (program, around) => {
  onDataFolder(program.command("identify <edgeId>"), around)
    .description("make a device blink, or show itself, for 30 seconds")
    .option("--stop", "make it stop")
    .action(async (edgeId: string, { data, stop }: { readonly data: string; readonly stop?: boolean }) => {
      await askRunning(data, { ask: "identify", about: { edgeId, active: !stop } }, around, WITHIN_MS);
      around.out(stop ? `${edgeId} has stopped\n` : `${edgeId} shows itself for 30 seconds\n`);
    });
};

/** In the order in which `--help` shows them. */
export const COMMANDS: readonly AddCommand[] = [
  addRun,
  addPair,
  addUnpair,
  addStatus,
  addDevices,
  addDrivers,
  addIdentify,
  addMatter,
  addToken,
  addLogs,
  addDoctor,
  addBackup,
  addRestore,
  addCheckConfig,
];
