/** `porchlight hubs status`, `doctor`, `logs`, `backup`, `backups`, `restart`: the state and the maintenance of a hub. */
import { PorchlightError } from "@porchlight/sdk";
import { type HubCheck, hubBackup, LOG_LEVELS, type LogLevel } from "@porchlight/shared/api";
import { sleep } from "@porchlight/shared/kernel";
import { styled } from "../../render/style.ts";
import type { Column } from "../../render/table.ts";
import type { Args, Option } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { Failure } from "../../session/failure.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../../session/places.ts";
import { confirm, YES } from "../../session/questions.ts";
import { fieldsOfSchema, WHERE, Where } from "../../session/where.ts";
import { resultStyle } from "../tools/doctor-checks.ts";

const HUB = { name: "HUB", summary: "ID or reference of the hub" };
const PLACES: readonly Option[] = [ECOSYSTEM, ENVIRONMENT];

const hubOf = (context: Context, args: Args) => new Places(context, args).reference("client", args.word("HUB"));

/** Time limit for the return of a hub, ms, and the interval of the polls. */
const BACK_MS = 120_000;
const ASK_MS = 1000;

const CHECKS: readonly Column[] = [
  { heading: "verdict", path: "verdict" },
  { heading: "check", path: "name" },
  { heading: "result", path: "says" },
  { heading: "cure", path: "cure" },
];
const WIDTH = "warning".length;

const LINES: readonly Column[] = [
  { heading: "at", path: "at" },
  { heading: "level", path: "level" },
  { heading: "text", path: "text" },
];

const BACKUPS: readonly Column[] = [
  { heading: "name", path: "name" },
  { heading: "created", path: "createdAt" },
  { heading: "bytes", path: "bytes" },
];

const status: Command = {
  name: "status",
  summary: "Shows the current version, machine, memory, disk and problems of a hub",
  parameters: [HUB],
  options: PLACES,
  examples: ["porchlight hubs status 'home;hub'"],
  async run(context, args) {
    context.output.record(await context.porchlight.clients.status(await hubOf(context, args)));
  },
};

const doctor: Command = {
  name: "doctor",
  summary: "Runs the checks of `porchlight-agent doctor` on a hub",
  parameters: [HUB],
  options: PLACES,
  examples: ["porchlight hubs doctor 'home;hub'"],
  notes: ["The exit status is 1 when a check failed."],
  async run(context, args) {
    const { output } = context;
    const found = await context.porchlight.clients.doctor(await hubOf(context, args));
    if (output.isJson) output.json(found);
    else if (!output.isTerminal) output.list(CHECKS, found.items);
    else for (const check of found.items) show(context, check);
    const wrong = found.items.filter(({ verdict }) => verdict === "failed");
    const [first] = wrong;
    if (first)
      throw new Failure(
        "failed",
        wrong.length === 1 ? "One check failed." : `${wrong.length} checks failed.`,
        `${first.name}: ${first.says}`,
        first.cure ?? "porchlight hubs logs HUB",
      );
  },
};

function show({ output }: Context, { verdict, name, says, cure }: HubCheck): void {
  output.line(styled(resultStyle(verdict), verdict.padEnd(WIDTH)), `  ${name}: ${says}`);
  if (cure !== undefined) output.line(`${" ".repeat(WIDTH + 2)}${cure}`);
}

const logs: Command = {
  name: "logs",
  summary: "Shows the log of a hub of the last minutes, without secrets",
  parameters: [HUB],
  options: [
    ...PLACES,
    { name: "minutes", value: "COUNT", number: [1, 1440], summary: "How far back, in minutes (15)" },
    { name: "level", value: "LEVEL", choices: LOG_LEVELS, summary: "Least level (info)" },
  ],
  examples: ["porchlight hubs logs 'home;hub' --minutes 60 --level warn"],
  async run(context, args) {
    const { output } = context;
    const level = LOG_LEVELS.find((each): each is LogLevel => each === args.text("level"));
    const log = await context.porchlight.clients.logs(await hubOf(context, args), {
      minutes: args.number("minutes"),
      level,
    });
    if (output.isJson) output.json(log);
    else if (!output.isTerminal) output.list(LINES, log.items);
    else for (const { at, level: grave, text } of log.items) output.line(`${at}  ${grave.padEnd(5)}  ${text}`);
    if (log.isCut) output.note("There are more lines. The oldest were left out.");
    if (!log.isKept) output.note("This hub keeps no log: its setting `logBytes` is 0.");
    else if (log.items.length === 0) output.note("The log has no lines of this level in this period.");
  },
};

const backup: Command = {
  name: "backup",
  summary: "Makes a backup on a hub, which stays there because it contains the hub's key",
  parameters: [HUB],
  options: PLACES,
  examples: ["porchlight hubs backup 'home;hub'"],
  notes: ["A hub keeps the newest five. Copy a backup from the hub, and protect it like a key."],
  async run(context, args) {
    const { output, porchlight } = context;
    const made = await porchlight.clients.createBackup(await hubOf(context, args));
    if (output.isJson) output.json(made);
    else output.note(`The backup is on the hub: ${made.folder}/${made.name}`);
  },
};

const backups: Command = {
  name: "backups",
  summary: "Lists the backups on a hub",
  parameters: [HUB],
  options: [WHERE, ...PLACES],
  examples: ["porchlight hubs backups 'home;hub'"],
  async run(context, args) {
    const { folder, items } = await context.porchlight.clients.backups(await hubOf(context, args));
    context.output.list(BACKUPS, new Where(args, fieldsOfSchema(hubBackup)).of(items), { folder });
    if (!context.output.isJson) context.output.note(`They are on the hub, in ${folder}.`);
  },
};

const restart: Command = {
  name: "restart",
  summary: "Restarts the agent on a hub, and waits until it is back",
  parameters: [HUB],
  options: [
    ...PLACES,
    { name: "no-wait", summary: "Ends when the hub has accepted, without waiting until it is back" },
    YES,
  ],
  examples: ["porchlight hubs restart 'home;hub'"],
  notes: ["The exit status is 6 when the hub is not back after two minutes."],
  async run(context, args) {
    const { output, clock, porchlight } = context;
    const hub = await hubOf(context, args);
    await confirm(context, args, "Its devices cannot be reached for some seconds. Restart the agent?");
    const asked = clock.monotonic();
    const accepted = await porchlight.clients.restart(hub);
    if (args.has("no-wait")) {
      if (output.isJson) output.json(accepted);
      else output.note("The hub has accepted, and is restarting.");
      return;
    }
    output.note("The hub has accepted, and is restarting.");
    const back = await untilBack(context, hub, asked);
    if (output.isJson) output.json(back);
    else output.note(`The hub is back, with version ${back.version}.`);
  },
};

/** The hub's status once its agent has started after the request. @param asked monotonic ms @throws Failure, PorchlightError */
async function untilBack({ clock, porchlight, signal }: Context, hub: string, asked: number) {
  while (clock.monotonic() - asked < BACK_MS) {
    await sleep(clock, "the hub to be back", ASK_MS, signal);
    try {
      const now = await porchlight.clients.status(hub, { signal });
      if (now.uptimeMs < clock.monotonic() - asked) return now;
    } catch (failure) {
      if (!(failure instanceof PorchlightError) || !/^Hub (?:Offline|Timeout)$/.test(failure.name)) throw failure;
    }
  }
  throw new Failure(
    "offline",
    "The hub is not back.",
    `It accepted the restart, but was not back within ${BACK_MS / 1000} s.`,
    "porchlight hubs get HUB; or look at the hub itself",
  );
}

export const hubMaintenance: readonly Command[] = [status, doctor, logs, backup, backups, restart];
